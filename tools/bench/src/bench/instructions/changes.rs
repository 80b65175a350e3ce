//! What counts have become since they were recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Percent by which a path may grow.
pub const PERCENT: f64 = 3.0;

/// A path's recorded and counted instructions.
#[derive(Debug)]
pub struct Change {
    pub name: String,
    /// `None` if the table does not have the path.
    pub recorded: Option<u64>,
    /// `None` if the program does not have the path.
    pub counted: Option<u64>,
}

/// All paths of the table and of the program, by name.
pub fn changes(recorded: &BTreeMap<String, u64>, counted: &BTreeMap<String, u64>) -> Vec<Change> {
    let names: BTreeSet<&String> = recorded.keys().chain(counted.keys()).collect();
    let change = |name: &String| Change {
        name: name.clone(),
        recorded: recorded.get(name).copied(),
        counted: counted.get(name).copied(),
    };
    names.into_iter().map(change).collect()
}

impl Change {
    /// True if the path has grown too much, or only one side has it.
    pub fn fails(&self) -> bool {
        self.percent().is_none_or(|percent| percent > PERCENT)
    }

    fn percent(&self) -> Option<f64> {
        let (recorded, counted) = (self.recorded?, self.counted?);
        Some(100.0 * (counted as f64 - recorded as f64) / recorded as f64)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = &self.name;
        match (self.recorded, self.counted) {
            (Some(recorded), Some(counted)) => {
                let percent = self.percent().unwrap_or(0.0);
                write!(out, "{name}: {counted} instructions, {percent:+.2} % of {recorded}")?;
                if percent < -PERCENT { write!(out, "; worth recording") } else { Ok(()) }
            }
            (None, Some(counted)) => write!(out, "{name}: {counted} instructions, none recorded"),
            (_, None) => write!(out, "{name}: recorded, but there is no such path"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(recorded: Option<u64>, counted: Option<u64>) -> Change {
        Change { name: "bm25".to_owned(), recorded, counted }
    }

    #[test]
    fn a_path_may_grow_by_three_percent_and_shrink_by_any() {
        assert!(!of(Some(1000), Some(1030)).fails());
        assert!(of(Some(1000), Some(1031)).fails());
        assert!(!of(Some(1000), Some(10)).fails());
        assert_eq!(
            of(Some(1000), Some(900)).to_string(),
            "bm25: 900 instructions, -10.00 % of 1000; worth recording"
        );
    }

    #[test]
    fn a_path_that_only_one_side_has_fails() {
        let counts = |name: &str| BTreeMap::from([(name.to_owned(), 5)]);
        let found = changes(&counts("old"), &counts("new"));
        assert!(found.iter().all(Change::fails));
        let found: Vec<String> = found.iter().map(Change::to_string).collect();
        assert_eq!(found, ["new: 5 instructions, none recorded", "old: recorded, but there is no such path"]);
    }
}
