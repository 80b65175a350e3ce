//! The files of outcomes of two rows of a table, each held to the result that it lies beside.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mteb_outcomes::{Items, find_outcomes, read_parquet};
use serde_json::Value;

use super::origin::{host_head, of_unit, unlike, unlike_models};
use super::paired::paired;
use super::table::side;
use crate::compare::{Found, ItemSource, Unlike};
use crate::table::Row;

/// What result files say of themselves, by folder and task; `None` where they say nothing.
type Heads = HashMap<(PathBuf, String), Rc<Option<Value>>>;

/// The outcomes that lie beside the results of two rows.
pub struct OutcomeFiles<'a> {
    rows: [&'a Row; 2],
    /// What results say of themselves, by folder and task: a task may have many units.
    heads: RefCell<Heads>,
}

/// The outcomes of a unit for one row.
struct Kept {
    /// What its score was made from, beside the model.
    unit: Value,
    items: Items,
}

impl<'a> OutcomeFiles<'a> {
    /// The outcomes of `first` and `second`.
    pub fn new(first: &'a Row, second: &'a Row) -> Self {
        Self { rows: [first, second], heads: RefCell::default() }
    }

    /// What is there for the row number `place`; `None` if nothing is.
    ///
    /// # Errors
    /// One line, if it is damaged or made from something else than the result.
    fn kept(&self, place: usize, task: &str, split: &str, subset: &str) -> Result<Option<Kept>, String> {
        let folders = self.rows[place].places.iter();
        let mut files = folders.map(|folder| (folder, find_outcomes(folder, task, split, subset)));
        let Some((folder, path)) = files.find(|(_, path)| path.exists()) else { return Ok(None) };
        let fault = |why: &str| format!("{}: left out: {why}", path.display());
        let found = read_parquet(&path).map_err(|error| fault(&error.to_string()))?;
        let said: Value = serde_json::from_str(&found.facts)
            .map_err(|error| fault(&format!("expected JSON in its footer: {error}")))?;
        if said["split"] != split || said["subset"] != subset {
            return Err(fault(&format!("of split {} and subset {}", said["split"], said["subset"])));
        }
        let head = self.head(folder, task);
        let result = (*head).as_ref().and_then(|head| of_unit(head, split, subset));
        match result {
            Some((model, unit)) if said["model"] == model && said["unit"] == unit => {
                Ok(Some(Kept { unit, items: found.items }))
            }
            _ => {
                Err(fault("made from something else than the result beside it; run again with `--outcomes`"))
            }
        }
    }

    fn head(&self, folder: &Path, task: &str) -> Rc<Option<Value>> {
        let key = (folder.to_owned(), task.to_owned());
        let mut heads = self.heads.borrow_mut();
        Rc::clone(heads.entry(key).or_insert_with(|| Rc::new(host_head(folder, task))))
    }

    /// What the results of both say of themselves, of those folders that have the task.
    fn both_heads(&self, task: &str) -> Option<[Rc<Option<Value>>; 2]> {
        let head = |row: &Row| {
            let mut heads = row.places.iter().map(|folder| self.head(folder, task));
            heads.find(|head| head.is_some())
        };
        Some([head(self.rows[0])?, head(self.rows[1])?])
    }
}

impl ItemSource for OutcomeFiles<'_> {
    fn items(&self, task: &str, split: &str, subset: &str, main_score: &str) -> Found {
        let place = format!("{task}, split {split}, subset {subset}");
        let (first, second) = match [0, 1].map(|row| self.kept(row, task, split, subset)) {
            [Ok(first), Ok(second)] => (first, second),
            faults => return Found::LeftOut(faults.into_iter().filter_map(Result::err).collect()),
        };
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (None, None) => return Found::Neither,
            (first, _) => return Found::Without(usize::from(first.is_some())),
        };
        let other = unlike(&first.unit, &second.unit, (split, subset));
        if !other.is_empty() {
            return Found::LeftOut(vec![format!("{place}: outcomes left out: {}", other.join(", "))]);
        }
        let sides =
            side(&first.items, main_score).and_then(|one| Ok((one, side(&second.items, main_score)?)));
        let unit = sides.map_err(|error| error.to_string()).and_then(|(one, other)| paired(one, other));
        match unit {
            Ok(unit) => Found::Paired(unit),
            Err(why) => Found::LeftOut(vec![format!("{place}: outcomes left out: {why}")]),
        }
    }

    fn unlike(&self, task: &str) -> Unlike {
        let Some(heads) = self.both_heads(task) else { return Unlike::default() };
        let [Some(first), Some(second)] = heads.each_ref().map(|head| (**head).as_ref()) else {
            return Unlike::default();
        };
        let mut data: Vec<String> = Vec::new();
        for (split, subsets) in first["units"].as_object().into_iter().flatten() {
            for (subset, one) in subsets.as_object().into_iter().flatten() {
                let Some(other) = second["units"][split].get(subset) else { continue };
                let new: Vec<String> = unlike(one, other, (split, subset))
                    .into_iter()
                    .filter(|line| !data.contains(line))
                    .collect();
                data.extend(new);
            }
        }
        let model = match self.rows[0].model == self.rows[1].model {
            true => unlike_models(&first["model"], &second["model"]),
            false => Vec::new(),
        };
        Unlike { data, model }
    }
}
