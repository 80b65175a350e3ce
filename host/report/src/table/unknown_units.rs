//! Results of splits and subsets that their tasks do not have: nothing else would say that they are there.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use super::column::Column;
use crate::join::Model;
use crate::reading::{Entry, Summary};

/// Names that the line holds.
const NAMED: usize = 3;

/// Results of splits and subsets that the cards of their tasks do not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownUnits {
    /// Model, task, split and subset of each.
    pub found: Vec<(String, String, String, String)>,
}

impl UnknownUnits {
    /// Those of `models` in these columns; `None` if there is none. Of a file that this host did not write, which may hold more than the
    /// task scores, only where nothing in it is of the task.
    pub fn of_board(columns: &[Column], models: &[Model]) -> Option<Self> {
        let mut found = Vec::new();
        for column in columns {
            let Some(units) = &column.task.units else { continue };
            let known: HashSet<(&str, &str)> = units
                .iter()
                .chain(&column.task.other_units)
                .map(|(split, subset)| (split.as_str(), subset.as_str()))
                .collect();
            let is_known = |entry: &&Entry| known.contains(&(entry.split.as_str(), entry.subset.as_str()));
            // Those of another revision are told of as such.
            let is_of_card = |file: &Summary| {
                !file.is_ours || column.task.revision.as_ref().is_none_or(|own| *own == file.dataset_revision)
            };
            for model in models {
                let Some(file) = model.files.get(&column.task.name).filter(|file| is_of_card(file)) else {
                    continue;
                };
                if !file.is_ours && file.entries.iter().any(|entry| is_known(&entry)) {
                    continue;
                }
                found.extend(file.entries.iter().filter(|entry| !is_known(entry)).map(|entry| {
                    let task = column.task.name.clone();
                    (model.name.clone(), task, entry.split.clone(), entry.subset.clone())
                }));
            }
        }
        (!found.is_empty()).then_some(Self { found })
    }

    /// Those of the models that `are_meant`; `None` if there is none.
    pub fn of_models(&self, are_meant: impl Fn(&str) -> bool) -> Option<Self> {
        let found: Vec<_> = self.found.iter().filter(|(model, ..)| are_meant(model)).cloned().collect();
        (!found.is_empty()).then_some(Self { found })
    }
}

impl std::error::Error for UnknownUnits {}

impl fmt::Display for UnknownUnits {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let name = |(_, task, split, subset): &(String, String, String, String)| {
            format!("{task}, split {split}, subset {subset}")
        };
        let names: BTreeSet<String> = self.found.iter().map(name).collect();
        let more = names.len().saturating_sub(NAMED);
        let shown = names.into_iter().take(NAMED).collect::<Vec<_>>().join("; ");
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        match self.found.len() {
            1 => write!(
                formatter,
                "not counted: 1 result of a split and subset that its task does not have: {shown}"
            ),
            count => write!(
                formatter,
                "not counted: {count} results of splits and subsets that their tasks do not have: {shown}{more}"
            ),
        }
    }
}
