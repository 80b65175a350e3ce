//! A unit of results that somebody submits, and its outcomes against the data: how many items there
//! are, and what people judged them to be.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mteb_card::{Part, TaskCard};
use mteb_data::{Column, Table, written};
use mteb_items::outcomes::read_parquet;
use mteb_results::{CompanionFiles, ResultFile, Standing, UnitName, kept_facts};
use mteb_tasks::{Items, TaskType, Unit};

/// The outcomes of a unit, if there are some.
fn outcomes(unit: &Submitted) -> Option<Items> {
    let name = UnitName { task: &unit.task, split: &unit.split, subset: &unit.subset };
    read_parquet(&CompanionFiles::new(&unit.place).outcomes(name)).ok().map(|found| found.items)
}

/// How the outcomes of a unit stand to the `file` with its score, and the outcomes, which are read once.
pub fn standing(unit: &Submitted, file: Option<&ResultFile>) -> (Standing, Option<Items>) {
    let facts = file.and_then(|file| {
        Some((file.model(&unit.split, &unit.subset)?, file.facts(&unit.split, &unit.subset)?))
    });
    let name = UnitName { task: &unit.task, split: &unit.split, subset: &unit.subset };
    match facts {
        Some((model, facts)) => {
            CompanionFiles::new(&unit.place).outcomes_and_standing(name, &kept_facts(model, facts, None))
        }
        // What another program wrote says nothing that outcomes could be compared with.
        None => (Standing::Absent, outcomes(unit)),
    }
}

/// What is wrong with outcomes, by the data that they are of.
#[derive(Debug, thiserror::Error)]
pub enum OutcomesFault {
    /// Nobody has judged a query.
    #[error("expected outcomes of queries that are judged, found one of: {0}")]
    UnknownQuery(String),
    /// Some queries have none.
    #[error("expected outcomes of {expected} judged queries, found those of {found}")]
    Queries {
        /// Queries that are judged.
        expected: usize,
        /// Queries that have outcomes.
        found: usize,
    },
    /// They are not those of the rows.
    #[error("expected outcomes of the {expected} rows of its data, found those of {found}")]
    Rows {
        /// Rows of the data.
        expected: usize,
        /// Rows that have outcomes.
        found: usize,
    },
    /// A row has another label.
    #[error("expected the label {expected} of row {row}, as its data has it, found in its outcomes: {found}")]
    OtherLabel {
        /// The row, from 0.
        row: i64,
        /// Its label in the data.
        expected: String,
        /// Its label in the outcomes.
        found: String,
    },
}

/// Whether outcomes are of all items of the data; false where the type does not tell.
///
/// # Errors
/// What was expected and what was found.
pub fn check_against_data(card: &TaskCard, items: &Items, data: &Unit) -> Result<bool, OutcomesFault> {
    match card.task_type {
        TaskType::Retrieval | TaskType::Reranking | TaskType::InstructionRetrieval => {
            data.parts.get(&Part::Qrels).map_or(Ok(false), |qrels| check_queries(items, qrels))
        }
        TaskType::Classification | TaskType::PairClassification | TaskType::Sts | TaskType::Regression => {
            data.parts.get(&Part::Rows).map_or(Ok(false), |rows| check_rows(card, items, rows))
        }
        _ => Ok(false),
    }
}

/// Each query of the outcomes has judgements.
fn check_queries(items: &Items, qrels: &Table) -> Result<bool, OutcomesFault> {
    let (Ok(found), Some(judged)) = (items.texts("query"), qrels.get("query-id")) else { return Ok(false) };
    let judged: BTreeSet<String> = (0..judged.len()).map(|row| written(&judged.value(row))).collect();
    let found: Vec<&str> = (0..found.len()).map(|row| &found[row]).collect();
    if let Some(unknown) = found.iter().find(|query| !judged.contains(**query)) {
        return Err(OutcomesFault::UnknownQuery((*unknown).to_owned()));
    }
    let distinct: BTreeSet<&&str> = found.iter().collect();
    if distinct.len() < judged.len() {
        return Err(OutcomesFault::Queries { expected: judged.len(), found: distinct.len() });
    }
    Ok(true)
}

/// Each row has an outcome, and its label is that of the data.
fn check_rows(card: &TaskCard, items: &Items, rows: &Table) -> Result<bool, OutcomesFault> {
    // Rows that hold lists are several items each.
    let is_folded = rows.names().any(|name| matches!(rows.get(name), Some(Column::Any(cells)) if cells.iter().any(serde_json::Value::is_array)));
    let Ok(places) = items.ints("row") else { return Ok(false) };
    if is_folded || card.protocol.cross_validation.is_some() {
        return Ok(false);
    }
    let distinct: BTreeSet<i64> = places.iter().copied().collect();
    let expected = rows.rows();
    let is_all = distinct.len() == expected
        && distinct.iter().all(|row| usize::try_from(*row).is_ok_and(|row| row < expected));
    if !is_all {
        return Err(OutcomesFault::Rows { expected, found: distinct.len() });
    }
    let gold = (card.task_type == TaskType::Classification).then(|| rows.get("label")).flatten();
    let (Some(gold), Ok(found)) = (gold, items.texts("gold")) else { return Ok(true) };
    for (at, row) in places.iter().enumerate() {
        let Some(label) = usize::try_from(*row).ok().map(|row| written(&gold.value(row))) else { continue };
        if label != found[at] {
            return Err(OutcomesFault::OtherLabel {
                row: *row,
                expected: label,
                found: found[at].to_owned(),
            });
        }
    }
    Ok(true)
}

/// A unit that is submitted.
pub struct Submitted {
    /// Folder of the model's results.
    pub place: PathBuf,
    /// What the row of the model is called.
    pub model: String,
    /// Task.
    pub task: String,
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// Main score.
    pub score: f64,
}

impl Submitted {
    /// The unit in words.
    pub fn to_text(&self) -> String {
        format!("{}, {}, split {}, subset {}", self.model, self.task, self.split, self.subset)
    }
}
