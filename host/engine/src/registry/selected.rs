//! A task, narrowed to subsets and splits.

use std::collections::HashSet;
use std::sync::Arc;

use super::entry::TaskEntry;
use super::language::LanguageFilter;

/// One task, narrowed to subsets and splits.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The task.
    pub entry: Arc<TaskEntry>,
    /// Subsets that are scored, in the card's order.
    pub subsets: Vec<String>,
    /// Splits that are scored, in the card's order.
    pub splits: Vec<String>,
}

impl Selected {
    /// The units that are scored, as split and subset, in evaluation order.
    pub fn units(&self) -> impl Iterator<Item = (&str, &str)> {
        let subsets: HashSet<&str> = self.subsets.iter().map(String::as_str).collect();
        let splits: HashSet<&str> = self.splits.iter().map(String::as_str).collect();
        let units = self.entry.card.units();
        units.filter(move |(split, subset)| splits.contains(split) && subsets.contains(subset))
    }

    /// Languages of the subsets that are scored, as `ind-Latn`, sorted, each once.
    pub fn languages(&self) -> Vec<&str> {
        let card = &self.entry.card;
        if self.subsets.len() == card.subset_names().len() && !card.subsets.is_empty() {
            return sorted(card.subsets.iter().flat_map(|(_, subset)| {
                if subset.languages.is_empty() { &card.languages } else { &subset.languages }
            }));
        }
        let codes = card.languages_by_subset();
        sorted(self.subsets.iter().filter_map(|subset| codes.get(subset.as_str()).copied()).flatten())
    }

    /// The tasks that have data: the task itself, or its members if it is their mean.
    pub fn with_data(&self) -> Vec<Self> {
        if self.entry.members.is_empty() {
            return vec![self.clone()];
        }
        let member = |entry: &Arc<TaskEntry>| {
            let all = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
            let splits = entry.card.eval_splits.iter().filter(|split| self.splits.contains(split)).cloned();
            Self {
                entry: Arc::clone(entry),
                subsets: all(entry.card.subset_names()),
                splits: splits.collect(),
            }
        };
        self.entry.members.iter().map(member).collect()
    }
}

fn sorted<'a>(codes: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut codes: Vec<&str> = codes.map(String::as_str).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A task named twice is scored on all the subsets and splits that were named.
pub(super) fn merge(into: &mut Selected, other: &Selected) {
    if into.subsets == other.subsets && into.splits == other.splits {
        return;
    }
    let card = &into.entry.card;
    let union = |all: Vec<&str>, left: &[String], right: &[String]| {
        // Each holds names of `all`, each once and in its order: of tens of thousands none needs to be looked up.
        if let Some(whole) = [left, right].into_iter().find(|part| part.len() == all.len()) {
            return whole.to_vec();
        }
        let named: HashSet<&str> = left.iter().chain(right).map(String::as_str).collect();
        all.into_iter().filter(|name| named.contains(name)).map(str::to_owned).collect()
    };
    let splits = card.eval_splits.iter().map(String::as_str).collect();
    (into.subsets, into.splits) = (
        union(card.subset_names(), &into.subsets, &other.subsets),
        union(splits, &into.splits, &other.splits),
    );
}

/// True if both take a score that the other takes too.
pub(super) fn overlap(left: &Selected, right: &Selected) -> bool {
    if left.entry.card.name != right.entry.card.name {
        return false;
    }
    let subsets: HashSet<&String> = left.subsets.iter().collect();
    right.subsets.iter().any(|subset| subsets.contains(subset))
        && right.splits.iter().any(|split| left.splits.contains(split))
}

/// Keeps subsets with at least one of `languages`.
pub(super) fn narrow_languages(selected: &mut Vec<Selected>, languages: &[LanguageFilter]) {
    for task in selected.iter_mut() {
        let card = &task.entry.card;
        let fits = |code: &&str| languages.iter().any(|wanted| wanted.takes(code));
        let fitting: HashSet<&str> = card.all_languages().into_iter().filter(fits).collect();
        let codes = card.languages_by_subset();
        task.subsets.retain(|subset| {
            let codes = codes.get(subset.as_str()).copied().unwrap_or_default();
            codes.iter().any(|code| fitting.contains(code.as_str()))
        });
    }
    selected.retain(|task| !task.subsets.is_empty());
}
