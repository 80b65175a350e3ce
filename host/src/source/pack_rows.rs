//! Units whose rows a task pack gives.

use std::collections::BTreeMap;

use mteb_data::{Table, read_json_lines};
use mteb_evaluators::Part;
use mteb_plugin_api::card::TaskCard;
use mteb_plugin_api::v1::code;

use super::SourceError;
use super::transform::{transform, transform_together};
use crate::plugins::{PackClient, WorkerError};
use crate::registry::needs_training;

/// All parts of a unit that the pack has.
///
/// # Errors
/// If the pack fails, or a part that is needed is absent or damaged.
pub fn parts(
    pack: &mut PackClient,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<BTreeMap<Part, Table>, SourceError> {
    let mut parts = BTreeMap::new();
    if !card.task_type.is_ranking() {
        let rows = read(pack, card, subset, Part::Rows, split)?;
        parts.insert(Part::Rows, transform(rows, card)?);
        if needs_training(card) {
            let train = card.dataset.train_split.as_deref().unwrap_or("train");
            let rows = read(pack, card, subset, Part::Rows, train)?;
            parts.insert(Part::Train, transform(rows, card)?);
        }
        transform_together(&mut parts, card, split)?;
        return Ok(parts);
    }
    for part in [Part::Corpus, Part::Queries, Part::Qrels] {
        parts.insert(part, read(pack, card, subset, part, split)?);
    }
    for part in [Part::TopRanked, Part::Instruction, Part::QrelDiff] {
        match read(pack, card, subset, part, split) {
            Ok(table) => {
                parts.insert(part, table);
            }
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(parts)
}

fn read(
    pack: &mut PackClient,
    card: &TaskCard,
    subset: &str,
    part: Part,
    split: &str,
) -> Result<Table, SourceError> {
    let rows = pack.rows(&card.name, subset, part.name(), split)?;
    let place = format!("{}, subset {subset}, split {split}, part {}", card.name, part.name());
    Ok(read_json_lines(&place, &rows)?)
}

fn is_absent(error: &SourceError) -> bool {
    let SourceError::Worker(WorkerError::Plugin { error, .. }) = error else { return false };
    error.code == code::NOT_FOUND
}
