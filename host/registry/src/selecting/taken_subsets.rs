//! The selected subsets of a task; where all of tens of thousands are selected, none is listed.

use std::collections::HashSet;

use mteb_card::TaskCard;

/// Subsets of a task, in the card's order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TakenSubsets {
    /// Every subset of the card.
    All,
    /// Some, each once.
    Some(Vec<String>),
}

impl TakenSubsets {
    /// Those of `card` called `names`, which are in its order and each once.
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

    /// Keeps those that are `wanted`, of which the names are in the order of `card` and each once.
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
