//! The outcomes of a unit that lie beside a result, held to it: which do not belong to it, and
//! which contradict its score.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mteb_card::TaskType;
use mteb_items::outcomes::{Items, OutcomesError, find_outcomes, read_parquet};
use mteb_results::ResultFault;
use mteb_results::folder_layout::OUTCOMES;
use rayon::prelude::*;
use serde_json::Value;

use super::origin::{read_host_head, split_off_model};
use super::read_side::read_side;
use super::side::Side;
use crate::reading::Checks;
use crate::table::{Board, BoardWarning, LeftOutScore, Row, ScoreFault};

/// What result files say of themselves, by folder and task, each read once: a task may have many
/// units.
#[derive(Default)]
pub(super) struct Heads(Mutex<HashMap<ResultOf, Head>>);

/// A folder of results and a task.
type ResultOf = (PathBuf, String);

/// What a result file says of itself, if it does.
type Head = Arc<Option<Value>>;

/// The outcomes of a unit for one row.
pub(super) struct UnitOutcomes {
    /// What its score was made from, beside the model.
    pub unit: Value,
    /// What its items came to.
    pub items: Items,
}

impl UnitOutcomes {
    /// Its items as they are compared; `main_score` is the score that stands for the unit.
    ///
    /// # Errors
    /// If a column is absent.
    pub fn side(&self, main_score: &str) -> Result<Side, OutcomesError> {
        // Results of versions that recorded no options do not name the type.
        let task_type = self.unit["options"]["type"].as_str().and_then(TaskType::named);
        read_side(&self.items, task_type, main_score)
    }
}

impl Heads {
    /// What the result of a task in `folder` says of itself; `None` if it says nothing.
    pub fn of(&self, folder: &Path, task: &str) -> Head {
        let key = (folder.to_owned(), task.to_owned());
        let mut heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(heads.entry(key).or_insert_with(|| Arc::new(read_host_head(folder, task))))
    }
}

/// What is there in the first of `folders` that has outcomes of a unit; `None` if nothing is.
///
/// # Errors
/// If it is damaged or made from something else than the result.
pub(super) fn read_unit_outcomes(
    heads: &Heads,
    folders: &[PathBuf],
    (task, split, subset): (&str, &str, &str),
) -> Result<Option<UnitOutcomes>, OutcomesFault> {
    let mut files = folders.iter().map(|folder| (folder, find_outcomes(folder, task, split, subset)));
    let Some((folder, path)) = files.find(|(_, path)| path.exists()) else { return Ok(None) };
    let fault = |source| OutcomesFault { path: path.clone(), source };
    let found = read_parquet(&path).map_err(|error| fault(error.into()))?;
    let said: Value =
        serde_json::from_str(&found.facts).map_err(|error| fault(OutcomesReason::Footer(error)))?;
    if said["split"] != split || said["subset"] != subset {
        let (split, subset) = (said["split"].to_string(), said["subset"].to_string());
        return Err(fault(OutcomesReason::OtherUnit(split, subset)));
    }
    let head = heads.of(folder, task);
    let result = (*head).as_ref().and_then(|head| split_off_model(head, split, subset));
    match result {
        Some((model, unit)) if said["model"] == model && said["unit"] == unit => {
            Ok(Some(UnitOutcomes { unit, items: found.items }))
        }
        _ => Err(fault(OutcomesReason::OtherResult)),
    }
}

/// A file of outcomes that was left out.
#[derive(Debug, thiserror::Error)]
#[error("{}: left out: {source}", path.display())]
pub(super) struct OutcomesFault {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub source: OutcomesReason,
}

/// What is wrong with a file of outcomes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum OutcomesReason {
    /// It cannot be read.
    #[error(transparent)]
    Unread(#[from] OutcomesError),
    /// What it says of itself is no JSON.
    #[error("expected JSON in its footer: {0}")]
    Footer(#[source] serde_json::Error),
    /// It is of another unit than its name says: this split and subset, as JSON.
    #[error("of split {0} and subset {1}")]
    OtherUnit(String, String),
    /// It was not made together with the result beside it.
    #[error("made from different inputs than the result next to it; run again with `--outcomes`")]
    OtherResult,
}

/// A score that its outcomes contradict.
struct Contradicted {
    row: usize,
    column: usize,
    unit: usize,
    /// What was expected and what was found.
    fault: ResultFault,
}

/// Takes the scores off the board that their outcomes contradict, with a warning each; means and
/// ranks are of what is left. Outcomes that are damaged, or those of another result, say nothing
/// here.
pub fn leave_out_contradicted(board: &mut Board, checks: Checks) {
    let found = find_contradicted(board, checks);
    if found.is_empty() {
        return;
    }
    for Contradicted { row, column, unit, fault } in found {
        let (row, place, column) = (&mut board.rows[row], column, &board.columns[column]);
        let name = format!("{}.json", column.task.name);
        let paths = row.places.iter().map(|folder| folder.join(&name));
        board.warnings.push(BoardWarning::Score(LeftOutScore {
            row: row.name.clone(),
            model: row.model.clone(),
            task: column.task.name.clone(),
            unit: column.units[unit].clone(),
            path: paths
                .clone()
                .find(|path| path.is_file())
                .or_else(|| paths.clone().next())
                .unwrap_or_default(),
            fault: ScoreFault::ByOutcomes(fault.to_string()),
        }));
        row.cells[place].leave_out(unit);
    }
    board.retain(Row::has_score);
}

fn find_contradicted(board: &Board, checks: Checks) -> Vec<Contradicted> {
    let heads = Heads::default();
    let places: Vec<(usize, usize, usize, f64)> = board
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.places.iter().any(|place| place.join(OUTCOMES).is_dir()))
        .flat_map(|(number, row)| {
            let cells = row.cells.iter().enumerate().filter(|(_, cell)| !cell.is_of_before);
            cells.flat_map(move |(column, cell)| {
                let units = cell.units.iter().enumerate();
                units.filter_map(move |(unit, score)| Some((number, column, unit, (*score)?)))
            })
        })
        .collect();
    places
        .into_par_iter()
        .filter_map(|(row, column, unit, score)| {
            let of = &board.columns[column];
            let (split, subset) = &of.units[unit];
            let found = read_unit_outcomes(&heads, &board.rows[row].places, (&of.task.name, split, subset))
                .ok()??;
            let fault = checks.check_items(&found.unit["options"], &found.items, score).err()?;
            Some(Contradicted { row, column, unit, fault })
        })
        .collect()
}
