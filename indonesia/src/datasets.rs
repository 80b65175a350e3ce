//! The cards and the rows of all editions, as they are in the library, compressed; and how the host gets them.

use mteb_plugin_api::v1::{PluginError, Task, TaskPack, code};
use zstd::zstd_safe::{DCtx, get_error_name};

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

/// A compressed text.
#[derive(Debug)]
pub struct Packed {
    /// Bytes of the text.
    pub length: usize,
    /// The text, compressed by Zstandard.
    pub bytes: &'static [u8],
}

impl Packed {
    /// The text.
    ///
    /// # Errors
    /// If the library is damaged, or the memory is refused.
    pub fn text(&self) -> Result<String, PluginError> {
        let damaged =
            |error: String| PluginError::failed(format!("the pack `indonesia` is damaged: {error}"));
        let mut context = DCtx::try_create().ok_or_else(|| {
            PluginError::new(code::OUT_OF_MEMORY, "the pack `indonesia`: no memory to unpack a text")
        })?;
        let mut bytes = Vec::with_capacity(self.length);
        let unpacked = context.decompress(&mut bytes, self.bytes);
        unpacked.map_err(|error| damaged(get_error_name(error).to_owned()))?;
        String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))
    }
}

/// The pack.
pub struct IndonesiaPack;

impl TaskPack for IndonesiaPack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        match DATASETS.iter().find(|dataset| dataset.name == name) {
            Some(dataset) => Ok(Box::new(BundledTask { dataset })),
            None => Err(PluginError::not_found(format!("the pack `indonesia` has no task `{name}`"))),
        }
    }
}

struct BundledTask {
    dataset: &'static Dataset,
}

impl Task for BundledTask {
    fn card(&self) -> Result<String, PluginError> {
        self.dataset.card.text()
    }

    /// The rows of a split are in the file of the split, those of a part in the file of the part.
    fn rows(&self, subset: &str, part: &str, split: &str) -> Result<String, PluginError> {
        let file = if part == "rows" { split } else { part };
        let files = self.dataset.files;
        match self.dataset.file(subset, file) {
            Some(rows) => rows.text(),
            None => Err(PluginError::not_found(format!(
                "{}: expected one of {}, found subset {subset}, part {part}, split {split}",
                self.dataset.name,
                files.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

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
