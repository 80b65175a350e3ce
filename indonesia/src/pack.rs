//! Gives the host cards and rows.

use mteb_plugin_api::v1::{PluginError, Task, TaskPack};

use crate::datasets::{DATASETS, Dataset};

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
