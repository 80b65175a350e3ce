//! What `results verify` finds, and how grave it is.

use std::collections::BTreeMap;

use super::said::Said;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What cannot be right.
    Fault,
    /// What a person should look at.
    Doubt,
    /// What was not checked, and why.
    Unchecked,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Doubt => "doubt",
            Self::Unchecked => "unchecked",
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Each with how grave it is, once.
    pub(super) found: Vec<(Kind, String)>,
    /// Units by what was checked of them.
    pub(super) checked: BTreeMap<&'static str, usize>,
    /// What was said of files by themselves.
    pub(super) said: Said,
}

impl Report {
    pub(super) fn note(&mut self, kind: Kind, line: String) {
        if self.found.iter().all(|(_, said)| *said != line) {
            self.found.push((kind, line));
        }
    }

    pub(super) fn count(&mut self, what: &'static str) {
        *self.checked.entry(what).or_default() += 1;
    }

    pub(super) fn of(&self, kind: Kind) -> impl Iterator<Item = &String> {
        self.found.iter().filter(move |(found, _)| *found == kind).map(|(_, line)| line)
    }
}
