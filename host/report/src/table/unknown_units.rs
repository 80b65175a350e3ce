//! Results of splits and subsets that their tasks do not have: nothing else would say that they are there.

use std::collections::{BTreeSet, HashSet};

use super::column::Column;
use crate::join::Model;
use crate::reading::{Entry, Summary};

/// Names that the line holds.
const NAMED: usize = 3;

/// A line on the results of splits and subsets that the cards of their tasks do not have; `None` if there is none. Of a file that this
/// host did not write, which may hold more than the task scores, only where nothing in it is of the task.
pub fn warn_of_unknown_units(columns: &[Column], models: &[Model]) -> Option<String> {
    let (mut names, mut count) = (BTreeSet::new(), 0);
    for column in columns {
        let Some(units) = &column.task.units else { continue };
        let known: HashSet<(&str, &str)> = units
            .iter()
            .chain(&column.task.other_units)
            .map(|(split, subset)| (split.as_str(), subset.as_str()))
            .collect();
        let is_known = |entry: &&Entry| known.contains(&(entry.split.as_str(), entry.subset.as_str()));
        // Those of another revision are told of as such.
        let is_of_card = |file: &&Summary| {
            !file.is_ours || column.task.revision.as_ref().is_none_or(|own| *own == file.dataset_revision)
        };
        let files = models.iter().filter_map(|model| model.files.get(&column.task.name)).map(|file| &**file);
        for file in files.filter(is_of_card) {
            if !file.is_ours && file.entries.iter().any(|entry| is_known(&entry)) {
                continue;
            }
            for Entry { split, subset, .. } in file.entries.iter().filter(|entry| !is_known(entry)) {
                count += 1;
                names.insert(format!("{}, split {split}, subset {subset}", column.task.name));
            }
        }
    }
    let more = names.len().saturating_sub(NAMED);
    let shown = names.into_iter().take(NAMED).collect::<Vec<_>>().join("; ");
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    match count {
        0 => None,
        1 => {
            Some(format!("not counted: 1 result of a split and subset that its task does not have: {shown}"))
        }
        _ => Some(format!(
            "not counted: {count} results of splits and subsets that their tasks do not have: {shown}{more}"
        )),
    }
}
