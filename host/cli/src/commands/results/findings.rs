//! What `results verify` finds, how grave it is, and what was said of files by themselves, so that
//! a board of the same files does not say it again.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use mteb_report::reading::{LeftOut, WhyLeftOut};
use mteb_report::table::{BoardWarning, LeftOutScore, ScoreFault};
use mteb_results::ResultFault;

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

/// The files, and the units in files, that were named with what is wrong with them.
#[derive(Debug, Default)]
pub struct Said {
    files: HashSet<PathBuf>,
    units: HashSet<(PathBuf, String, String)>,
}

impl Said {
    /// The whole file at `path` was named.
    pub fn add_file(&mut self, path: &Path) {
        self.files.insert(path.to_owned());
    }

    /// A fault in the file at `path` was named.
    pub fn add_fault(&mut self, path: &Path, fault: &ResultFault) {
        if let ResultFault::Unit { split, subset, .. } = fault {
            self.units.insert((path.to_owned(), split.clone(), subset.clone()));
        }
    }

    /// True if a board says nothing with this `warning` that was not said of the file.
    pub fn has_said(&self, warning: &BoardWarning) -> bool {
        let has = |path: &Path, split: &str, subset: &str| {
            self.units.contains(&(path.to_owned(), split.to_owned(), subset.to_owned()))
        };
        match warning {
            BoardWarning::File(LeftOut { path, why, .. }) => match why {
                WhyLeftOut::Unit { split, subset, .. } => has(path, split, subset),
                WhyLeftOut::Unread(_) | WhyLeftOut::NoScores => self.files.contains(path),
                _ => false,
            },
            BoardWarning::Score(LeftOutScore { path, unit, fault: ScoreFault::InFile(_), .. }) => {
                has(path, &unit.0, &unit.1)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "results/a/1/T.json";

    fn board_warning(subset: &str, fault: ScoreFault) -> BoardWarning {
        BoardWarning::Score(LeftOutScore {
            row: "a".to_owned(),
            model: "a".to_owned(),
            task: "T".to_owned(),
            unit: ("test".to_owned(), subset.to_owned()),
            path: PATH.into(),
            fault,
        })
    }

    #[test]
    fn what_a_file_was_said_to_have_is_not_said_again_of_the_board() {
        let mut said = Said::default();
        let fault = ResultFault::Unit {
            split: "test".to_owned(),
            subset: "b".to_owned(),
            fault: Box::new(ResultFault::TwoEntries),
        };
        said.add_fault(Path::new(PATH), &fault);
        let in_file = |subset: &str| {
            board_warning(subset, ScoreFault::InFile("expected one entry, found two".to_owned()))
        };
        assert!(said.has_said(&in_file("b")) && !said.has_said(&in_file("c")));
        let by_outcomes = ScoreFault::ByOutcomes("expected the score of its outcomes".to_owned());
        assert!(!said.has_said(&board_warning("b", by_outcomes)), "another fault of the same unit");
    }

    #[test]
    fn a_file_that_was_named_is_not_named_again_and_its_copies_are() {
        let mut said = Said::default();
        said.add_file(Path::new(PATH));
        let left_out =
            |path: &str, why| BoardWarning::File(LeftOut { path: path.into(), model: "a".to_owned(), why });
        assert!(said.has_said(&left_out(PATH, WhyLeftOut::NoScores)));
        assert!(!said.has_said(&left_out("results/a/1/superseded/T-1.json", WhyLeftOut::NoScores)));
        assert!(!said.has_said(&left_out(PATH, WhyLeftOut::MetaNameless)));
    }
}
