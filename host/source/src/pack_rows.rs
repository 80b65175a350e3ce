//! Units whose rows a task pack gives.

use std::collections::BTreeMap;

use mteb_card::TaskCard;
use mteb_data::{Table, read_json_lines};
use mteb_files::hex;
use mteb_plugin_api::v1::code;
use mteb_registry::needs_training_split;
use mteb_tasks::Part;
use mteb_workers::plugins::{PackClient, WorkerError};
use sha2::{Digest, Sha256};

use super::SourceError;
use super::transform::{shape, transform_together};

/// All parts of a unit that the pack has, and the SHA-256 of their rows.
///
/// # Errors
/// If the pack fails, or a part that is needed is absent or damaged.
pub fn parts(
    pack: &mut PackClient,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<(BTreeMap<Part, Table>, String), SourceError> {
    let task = task_of_pack(pack, card);
    let mut rows = Rows { pack, task, subset, hasher: Sha256::new() };
    let mut parts = BTreeMap::new();
    if !card.task_type.is_ranking() {
        parts.insert(Part::Rows, shape(rows.read(Part::Rows, split)?, card)?);
        if needs_training_split(card, subset) {
            let train = card.dataset.training_split();
            parts.insert(Part::Train, shape(rows.read(Part::Rows, train)?, card)?);
        }
        transform_together(&mut parts, card, (split, subset))?;
        return Ok((parts, rows.hash()));
    }
    for part in Part::of_rankings() {
        match rows.read(part, split) {
            Ok(table) => {
                parts.insert(part, table);
            }
            Err(error) if !part.is_needed() && is_absent(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok((parts, rows.hash()))
}

/// The task as the pack calls it that has the data of the revision that the card pins: `Name@1`, where an edition of the pack is
/// called by the revision, else `Name`.
pub fn task_of_pack(pack: &PackClient, card: &TaskCard) -> String {
    let pinned = card.dataset.revision.as_ref().map(|revision| format!("{}@{revision}", card.name));
    pinned.filter(|task| pack.plugin().cards.contains_key(task)).unwrap_or_else(|| card.name.clone())
}

/// The rows of a unit as the pack gives them.
struct Rows<'a> {
    pack: &'a mut PackClient,
    /// As the pack calls it.
    task: String,
    subset: &'a str,
    hasher: Sha256,
}

impl Rows<'_> {
    fn read(&mut self, part: Part, split: &str) -> Result<Table, SourceError> {
        let Self { task, subset, .. } = self;
        let rows = self.pack.rows(task, subset, part.as_str(), split)?;
        for bytes in [part.as_str().as_bytes(), split.as_bytes(), &rows] {
            self.hasher.update((bytes.len() as u64).to_le_bytes());
            self.hasher.update(bytes);
        }
        // The unit is named by whoever tells of a fault; the rows may be of another split.
        let place = format!("part {}, split {split}", part.as_str());
        Ok(read_json_lines(&place, &rows)?)
    }

    fn hash(self) -> String {
        hex(&self.hasher.finalize())
    }
}

fn is_absent(error: &SourceError) -> bool {
    let SourceError::Worker(WorkerError::Plugin { error, .. }) = error else { return false };
    error.code == code::NOT_FOUND
}
