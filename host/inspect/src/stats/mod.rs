//! Describes the data of a unit: how much there is, how long texts are, what is repeated, empty, leaked or in another
//! language.

mod judgements;
mod labels;
mod language;
mod pairing;
mod part;
mod texts;

pub use judgements::{Grade, JudgementStats, ScoredJudgements, id_column, ids};
pub use labels::{LabelStats, NumberStats};
pub use language::{CONFIDENCE, LanguageMix, is_known, language_of};
pub use pairing::Pairing;
pub use part::PartStats;
pub use texts::{Characters, for_each, for_each_of_row, hash};

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use mteb_card::{TaskCard, defaults};
use mteb_data::{DataError, Table, Texts};
use mteb_tasks::{Part, Unit, composed, normalised};
use serde::Serialize;

use crate::near::has_similar;
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
        (Some(rows), Some(train)) => Some(overlap(&texts::of(rows, "text")?, &texts::of(train, "text")?)),
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

/// Share of common 4-grams (Jaccard similarity) from which on two texts are nearly the same.
const NEAR: f64 = 0.8;

/// Training texts that are compared for nearness; of more of them an even sample.
const LIMIT: usize = 200_000;

/// Evaluation texts that are in the training split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlapStats {
    /// Evaluation texts.
    pub texts: usize,
    /// Of them: those that are training texts too, character by character, in whichever form letters with marks are written (NFC, NFD).
    pub exact: usize,
    /// Of the others: those whose set of character 4-grams is to 80 % that of a training text.
    pub near: usize,
    /// Training texts that were compared for nearness.
    pub compared: usize,
    /// Of the near ones: those that differ in more than case, punctuation and invisible characters.
    #[serde(skip)]
    pub rewritten: usize,
    /// The first of these.
    #[serde(skip)]
    pub first_rewritten: Option<String>,
}

/// Compares evaluation texts with training texts.
fn overlap(texts: &Texts, train: &Texts) -> OverlapStats {
    let known: HashSet<Cow<'_, str>> = train.iter().map(composed).collect();
    let others: Vec<usize> =
        (0..texts.len()).filter(|&row| !known.contains(&composed(&texts[row]))).collect();
    let step = train.len().div_ceil(LIMIT).max(1);
    let sample = train.select(&(0..train.len()).step_by(step).collect::<Vec<_>>());
    let own: Vec<String> = others.iter().map(|&row| normalised(&texts[row])).collect();
    let trained: Vec<String> = sample.iter().map(normalised).collect();
    let copied: HashSet<&str> = trained.iter().map(String::as_str).collect();
    let is_copy: Vec<bool> = own.iter().map(|text| copied.contains(text.as_str())).collect();
    let near = has_similar(own, trained, NEAR);
    let rewritten = || (0..others.len()).filter(|&place| near[place] && !is_copy[place]);
    OverlapStats {
        texts: texts.len(),
        exact: texts.len() - near.len(),
        near: near.iter().filter(|&&near| near).count(),
        compared: sample.len(),
        rewritten: rewritten().count(),
        first_rewritten: rewritten().next().map(|place| texts[others[place]].to_owned()),
    }
}

#[cfg(test)]
mod tests;
