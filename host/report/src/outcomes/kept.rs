//! The outcomes of a unit that lie beside a result, held to it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mteb_card::TaskType;
use mteb_items::outcomes::{Items, OutcomesError, find_outcomes, read_parquet};
use serde_json::Value;

use super::origin::{host_head, of_unit};
use super::outcomes_fault::{OutcomesFault, OutcomesReason};
use super::read_side::read_side;
use super::side::Side;

/// What result files say of themselves, by folder and task, each read once: a task may have many
/// units.
#[derive(Default)]
pub(super) struct Heads(Mutex<HashMap<ResultOf, Head>>);

/// A folder of results and a task.
type ResultOf = (PathBuf, String);

/// What a result file says of itself, if it does.
type Head = Arc<Option<Value>>;

/// The outcomes of a unit for one row.
pub(super) struct Kept {
    /// What its score was made from, beside the model.
    pub unit: Value,
    /// What its items came to.
    pub items: Items,
}

impl Kept {
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
        Arc::clone(heads.entry(key).or_insert_with(|| Arc::new(host_head(folder, task))))
    }
}

/// What is there in the first of `folders` that has outcomes of a unit; `None` if nothing is.
///
/// # Errors
/// If it is damaged or made from something else than the result.
pub(super) fn kept(
    heads: &Heads,
    folders: &[PathBuf],
    (task, split, subset): (&str, &str, &str),
) -> Result<Option<Kept>, OutcomesFault> {
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
    let result = (*head).as_ref().and_then(|head| of_unit(head, split, subset));
    match result {
        Some((model, unit)) if said["model"] == model && said["unit"] == unit => {
            Ok(Some(Kept { unit, items: found.items }))
        }
        _ => Err(fault(OutcomesReason::OtherResult)),
    }
}
