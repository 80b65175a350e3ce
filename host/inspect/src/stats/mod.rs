//! Describes the data of a unit: how much there is, how long texts are, what is repeated, empty, leaked or in another
//! language.

mod judgements;
mod labels;
mod language;
mod overlap;
mod pairing;
mod part;
mod texts;

pub use judgements::{Grade, JudgementStats, id_column, ids};
pub use labels::{LabelStats, NumberStats};
pub use language::{CONFIDENCE, LanguageMix, is_known, language_of};
pub use overlap::OverlapStats;
pub use pairing::Pairing;
pub use part::PartStats;
pub use texts::{Characters, for_each, for_each_of_row, hash};

use std::collections::BTreeMap;

use mteb_card::{TaskCard, defaults};
use mteb_data::{DataError, Table};
use mteb_tasks::{Part, Unit};
use serde::Serialize;

use part::PartCounter;

/// What there is to know of the data of one split and subset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitStats {
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// What it puts side by side, by the lengths of its texts; `None` without texts.
    pub category: Option<Pairing>,
    /// Each part that has rows of texts, by its name.
    pub parts: BTreeMap<&'static str, PartStats>,
    /// How much of the evaluation rows is in the training rows; of tasks that train.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_overlap: Option<OverlapStats>,
    /// The judgements of ranking tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgements: Option<JudgementStats>,
}

/// Describes a unit; `corpus` gives the chunks of a corpus that is not in the unit.
///
/// # Errors
/// If a column that the task type needs is absent, or the corpus cannot be read.
pub fn unit_stats<E: From<DataError>>(
    card: &TaskCard,
    unit: &Unit,
    corpus: Option<impl Iterator<Item = Result<Table, E>>>,
) -> Result<UnitStats, E> {
    let mut parts = BTreeMap::new();
    for part in [Part::Rows, Part::Train, Part::Queries, Part::Instruction] {
        if let Some(table) = unit.get(part) {
            let mut counter = PartCounter::new(card, part);
            counter.add(table)?;
            parts.insert(part.as_str(), counter.finish());
        }
    }
    let threshold = card.protocol.relevance_threshold.unwrap_or(defaults::RELEVANCE_THRESHOLD);
    let mut judgements = judgements::JudgementCounter::of(unit, threshold)?;
    let mut documents = PartCounter::new(card, Part::Corpus);
    let mut count = |table: &Table| -> Result<(), DataError> {
        documents.add(table)?;
        judgements.as_mut().map_or(Ok(()), |judgements| judgements.add_documents(table))
    };
    if let Some(table) = unit.get(Part::Corpus) {
        count(table)?;
    }
    for chunk in corpus.into_iter().flatten() {
        count(&chunk?)?;
    }
    if card.task_type.is_ranking() {
        parts.insert(Part::Corpus.as_str(), documents.finish());
    }
    let train_overlap = match (unit.get(Part::Rows), unit.get(Part::Train)) {
        (Some(rows), Some(train)) => {
            Some(overlap::overlap(&texts::of(rows, "text")?, &texts::of(train, "text")?))
        }
        _ => None,
    };
    Ok(UnitStats {
        category: Pairing::of(&parts),
        split: unit.split.clone(),
        subset: unit.subset.clone(),
        parts,
        train_overlap,
        judgements: judgements.map(judgements::JudgementCounter::finish),
    })
}

#[cfg(test)]
mod tests;
