//! The table of recorded counts: `tools/bench/instructions.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use xtask_start::command::root;

/// The table's file, below the root of the workspace.
pub const FILE: &str = "tools/bench/instructions.toml";

const HEAD: &str = "\
# Instructions of the hot paths in tools/bench/examples/hot_paths, which `cargo xtask bench instructions` compares with.
# Written by `cargo xtask bench instructions --record`; another compiler gives other counts.
";

/// Counts and what they were made with.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What `rustc --version` said.
    pub compiler: String,
    /// Instructions of each path.
    pub counts: BTreeMap<String, u64>,
}

impl Table {
    /// Reads the committed table.
    pub fn read() -> Result<Self, String> {
        let text = fs::read_to_string(path()).map_err(|error| format!("{FILE}: {error}"))?;
        Self::parse(&text)
    }

    /// Writes the table in place of the committed one.
    pub fn write(&self) -> Result<(), String> {
        fs::write(path(), self.text()).map_err(|error| format!("{FILE}: {error}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("{FILE}: {error}"))
    }

    fn text(&self) -> String {
        let counts: String = self.counts.iter().map(|(name, count)| format!("{name} = {count}\n")).collect();
        format!("{HEAD}compiler = {:?}\n\n[counts]\n{counts}", self.compiler)
    }
}

fn path() -> PathBuf {
    root().join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let counts = BTreeMap::from([("bm25".to_owned(), 5), ("k_means".to_owned(), 123_456_789)]);
        let table = Table { compiler: "rustc 1.95.0 (59807616e 2026-04-14)".to_owned(), counts };
        assert_eq!(Table::parse(&table.text()).unwrap(), table);
    }

    #[test]
    fn the_committed_table_can_be_read() {
        assert!(!Table::read().unwrap().counts.is_empty());
    }
}
