//! The cards and the rows of all editions, as they are in the library.

use crate::packed::Packed;

/// One dataset of the pack.
#[derive(Debug)]
pub struct Dataset {
    /// Task name; `Name@1` for the task of the first edition.
    pub name: &'static str,
    /// The card, as TOML.
    pub card: Packed,
    /// File name without suffix (a split, or a part of a ranking task; `part@subset` where subsets differ) and content.
    pub files: &'static [(&'static str, Packed)],
}

impl Dataset {
    /// The content of a file of `subset`: its own one, else the one that all subsets share.
    pub fn file(&self, subset: &str, file: &str) -> Option<&Packed> {
        let find = |wanted: &str| self.files.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text);
        let ending = format!("@{subset}");
        let has_subset = self.files.iter().any(|(name, _)| name.ends_with(&ending));
        let shared = || if has_subset || subset == "default" { find(file) } else { None };
        find(&format!("{file}{ending}")).or_else(shared)
    }
}

/// Every dataset: those of the present edition by name, then those of earlier ones.
pub const DATASETS: &[Dataset] = include!(concat!(env!("OUT_DIR"), "/datasets.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// The sums of the files of the first edition, as `sha256sum` writes them.
    const FIRST: &str = include_str!("../editions/1/sha256.txt");

    #[test]
    fn the_rows_of_the_first_edition_are_those_that_were_published() {
        let first = DATASETS.iter().filter_map(|dataset| Some((dataset.name.strip_suffix("@1")?, dataset)));
        let sum =
            |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let line = |task: &str, (file, rows): &(&str, Packed)| {
            format!("{}  {task}/{file}.jsonl", sum(&rows.text().unwrap()))
        };
        let mut found: Vec<String> = first
            .flat_map(|(task, dataset)| dataset.files.iter().map(move |file| line(task, file)))
            .collect();
        let mut expected: Vec<&str> = FIRST.lines().collect();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
