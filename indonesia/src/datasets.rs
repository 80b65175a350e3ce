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
pub static DATASETS: &[Dataset] = include!(concat!(env!("OUT_DIR"), "/datasets.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Editions that stay as they are, and the sums of their files, as `sha256sum` writes them.
    const KEPT: [(&str, &str); 3] = [
        ("1", include_str!("../editions/1/sha256.txt")),
        ("2", include_str!("../editions/2/sha256.txt")),
        ("judged-1", include_str!("../editions/judged-1/sha256.txt")),
    ];

    #[test]
    fn the_rows_of_an_earlier_edition_are_those_that_were_published_or_judged() {
        let sum =
            |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let line = |task: &str, (file, rows): &(&str, Packed)| {
            format!("{}  {task}/{file}.jsonl", sum(&rows.text().unwrap()))
        };
        for (edition, sums) in KEPT {
            let ending = format!("@{edition}");
            let own = DATASETS
                .iter()
                .filter_map(|dataset| Some((dataset.name.strip_suffix(ending.as_str())?, dataset)));
            let mut found: Vec<String> = own
                .flat_map(|(task, dataset)| dataset.files.iter().map(move |file| line(task, file)))
                .collect();
            let mut expected: Vec<&str> = sums.lines().collect();
            found.sort();
            expected.sort_unstable();
            assert_eq!(found, expected, "edition {edition}");
        }
    }

    #[test]
    fn a_graded_task_searches_the_texts_that_were_judged() {
        let file = |task: &str, file: &str| {
            let dataset = DATASETS.iter().find(|dataset| dataset.name == task);
            dataset.and_then(|dataset| dataset.file("default", file)).map(|rows| rows.text().unwrap())
        };
        for task in ["IndonesianEncyclopediaRetrieval", "IndonesianHealthRetrieval", "IndonesianLawRetrieval"]
        {
            let graded = file(&format!("{task}Graded@graded-1"), "corpus");
            assert!(graded.is_some() && graded == file(&format!("{task}@judged-1"), "corpus"), "{task}");
            assert_ne!(graded, file(task, "corpus"), "{task}: mended since");
        }
    }
}
