//! A task, narrowed to subsets and splits. A selection of all subsets is stored without a list,
//! because there may be tens of thousands.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_card::TaskCard;

use crate::entry::TaskEntry;
use crate::languages::language::LanguageFilter;

/// One task, narrowed to subsets and splits.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The task.
    pub entry: Arc<TaskEntry>,
    /// Subsets that are scored.
    pub subsets: TakenSubsets,
    /// Splits that are scored, in the card's order.
    pub splits: Vec<String>,
}

impl Selected {
    /// The units that are scored, as split and subset, in evaluation order.
    pub fn units(&self) -> impl Iterator<Item = (&str, &str)> {
        let subsets = self.subsets.named();
        let splits: HashSet<&str> = self.splits.iter().map(String::as_str).collect();
        let is_taken = move |subset: &str| subsets.as_ref().is_none_or(|subsets| subsets.contains(subset));
        let units = self.entry.card.units();
        units.filter(move |(split, subset)| splits.contains(split) && is_taken(subset))
    }

    /// Names of the subsets that are scored, in the card's order.
    pub fn subset_names(&self) -> Vec<String> {
        self.subsets.names(&self.entry.card)
    }

    /// True if every subset and split of the card is scored.
    pub fn is_whole(&self) -> bool {
        self.subsets == TakenSubsets::All && self.splits.len() == self.entry.card.eval_splits.len()
    }

    /// Languages of the subsets that are scored, as `ind-Latn`, sorted, each once.
    pub fn languages(&self) -> Vec<&str> {
        let card = &self.entry.card;
        let mut codes: Vec<&str> = match self.subsets.named() {
            None if card.subsets.is_empty() => card.languages.iter().map(String::as_str).collect(),
            None => card.subsets.languages(&card.languages).collect(),
            Some(taken) => {
                let mut codes = Vec::new();
                card.visit_subsets(|name, languages| {
                    if taken.contains(name) {
                        codes.extend_from_slice(languages);
                    }
                });
                codes
            }
        };
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// The tasks that have data: the task itself, or its members if it is their mean.
    pub fn with_data(&self) -> Vec<Self> {
        if self.entry.members.is_empty() {
            return vec![self.clone()];
        }
        let member = |entry: &Arc<TaskEntry>| {
            let splits = entry.card.eval_splits.iter().filter(|split| self.splits.contains(split)).cloned();
            Self { entry: Arc::clone(entry), subsets: TakenSubsets::All, splits: splits.collect() }
        };
        self.entry.members.iter().map(member).collect()
    }
}

/// A task named twice is scored on all the subsets and splits that were named.
pub(crate) fn merge(into: &mut Selected, other: &Selected) {
    if into.subsets == other.subsets && into.splits == other.splits {
        return;
    }
    let card = &into.entry.card;
    into.subsets = match (into.subsets.named(), other.subsets.named()) {
        (Some(left), Some(right)) => TakenSubsets::among(card, &left.union(&right).copied().collect()),
        _ => TakenSubsets::All,
    };
    let is_taken = |split: &&String| into.splits.contains(split) || other.splits.contains(split);
    into.splits = card.eval_splits.iter().filter(is_taken).cloned().collect();
}

/// True if both take a score that the other takes too.
pub(crate) fn overlap(left: &Selected, right: &Selected) -> bool {
    if left.entry.card.name != right.entry.card.name {
        return false;
    }
    let has_subset = match (left.subsets.named(), right.subsets.named()) {
        (Some(left), Some(right)) => !left.is_disjoint(&right),
        _ => true,
    };
    has_subset && right.splits.iter().any(|split| left.splits.contains(split))
}

/// Keeps subsets with at least one of `languages`.
pub(crate) fn narrow_languages(selected: &mut Vec<Selected>, languages: &[LanguageFilter]) {
    for task in selected.iter_mut() {
        let card = &task.entry.card;
        let fits = |code: &&str| languages.iter().any(|wanted| wanted.takes(code));
        let fitting: HashSet<&str> = card.all_languages().into_iter().filter(fits).collect();
        task.subsets.keep(card, card.subsets_with_language(|code| fitting.contains(code)));
    }
    selected.retain(|task| task.subsets.count(&task.entry.card) > 0);
}

/// Subsets of a task, in the card's order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TakenSubsets {
    /// Every subset of the card.
    All,
    /// Some, each once.
    Some(Vec<String>),
}

impl TakenSubsets {
    /// The subsets of `card` with these `names`, which are in the card's order, without duplicates.
    pub fn of(card: &TaskCard, names: Vec<String>) -> Self {
        if names.len() == card.subset_count() { Self::All } else { Self::Some(names) }
    }

    /// Those of `card` that are `wanted`.
    pub fn among(card: &TaskCard, wanted: &HashSet<&str>) -> Self {
        let mut names = Vec::with_capacity(wanted.len());
        card.visit_subsets(|name, _| {
            if wanted.contains(name) {
                names.push(name.to_owned());
            }
        });
        Self::of(card, names)
    }

    /// How many they are of `card`.
    pub fn count(&self, card: &TaskCard) -> usize {
        match self {
            Self::All => card.subset_count(),
            Self::Some(names) => names.len(),
        }
    }

    /// Their names in `card`.
    pub fn names(&self, card: &TaskCard) -> Vec<String> {
        match self {
            Self::All => {
                let mut names = Vec::with_capacity(card.subset_count());
                card.visit_subsets(|name, _| names.push(name.to_owned()));
                names
            }
            Self::Some(names) => names.clone(),
        }
    }

    /// Their names; `None` for all.
    pub fn named(&self) -> Option<HashSet<&str>> {
        match self {
            Self::All => None,
            Self::Some(names) => Some(names.iter().map(String::as_str).collect()),
        }
    }

    /// Keeps the `wanted` subsets. Their names are in the order of `card`, without duplicates.
    pub fn keep(&mut self, card: &TaskCard, wanted: Vec<String>) {
        match self {
            Self::All => *self = Self::of(card, wanted),
            Self::Some(names) => {
                let wanted: HashSet<&str> = wanted.iter().map(String::as_str).collect();
                names.retain(|name| wanted.contains(name.as_str()));
            }
        }
    }
}
