//! The files of outcomes of two rows of a table, each held to the result that it lies beside.

use std::sync::Arc;

use serde_json::Value;

use super::kept::{Heads, Kept, kept};
use super::origin::{unlike, unlike_models};
use super::outcomes_fault::{OutcomesFault, PairFault};
use super::paired::paired;
use crate::compare::{Found, ItemSource, PairedUnit, Unlike};
use crate::table::Row;

/// The outcomes that lie beside the results of two rows.
pub struct OutcomeFiles<'a> {
    rows: [&'a Row; 2],
    heads: Heads,
}

impl<'a> OutcomeFiles<'a> {
    /// The outcomes of `first` and `second`.
    pub fn new(first: &'a Row, second: &'a Row) -> Self {
        Self { rows: [first, second], heads: Heads::default() }
    }

    fn kept(
        &self,
        place: usize,
        task: &str,
        split: &str,
        subset: &str,
    ) -> Result<Option<Kept>, OutcomesFault> {
        kept(&self.heads, &self.rows[place].places, (task, split, subset))
    }

    /// What the results of both say of themselves, of those folders that have the task.
    fn both_heads(&self, task: &str) -> Option<[Arc<Option<Value>>; 2]> {
        let head = |row: &Row| {
            let mut heads = row.places.iter().map(|folder| self.heads.of(folder, task));
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
            faults => {
                let faults = faults.into_iter().filter_map(Result::err);
                return Found::LeftOut(faults.map(|fault| fault.to_string()).collect());
            }
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
        match pair([&first, &second], main_score) {
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

/// The items of both sides beside each other.
fn pair([first, second]: [&Kept; 2], main_score: &str) -> Result<PairedUnit, PairFault> {
    paired(first.side(main_score)?, second.side(main_score)?)
}
