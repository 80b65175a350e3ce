//! Where outcomes lie: beside the results of their model.

use std::path::{Path, PathBuf};

use mteb_files::{folder_name, own_name};
use serde_json::Value;

use crate::read_facts;

/// The file of outcomes of a unit in the folder `results` of a model: `outcomes/<task>/<split>/<subset>.parquet`, by a name that no
/// other unit has.
pub fn outcomes_file(results: &Path, task: &str, split: &str, subset: &str) -> PathBuf {
    below(results, [task, split, subset].map(own_name))
}

/// The file that holds the outcomes of a unit: that of its name, else one that an earlier version left under a name that other units
/// can have, if its footer says that it is of this unit.
pub fn find_outcomes(results: &Path, task: &str, split: &str, subset: &str) -> PathBuf {
    let own = outcomes_file(results, task, split, subset);
    let earlier = below(results, [task, split, subset].map(folder_name));
    let is_earlier = || own.symlink_metadata().is_err() && is_outcomes_of(&earlier, task, split, subset);
    if earlier != own && is_earlier() { earlier } else { own }
}

/// True if the file at `path`, and no link there, says that it holds the outcomes of this unit; its cells are not looked at.
pub fn is_outcomes_of(path: &Path, task: &str, split: &str, subset: &str) -> bool {
    let facts = if path.is_symlink() { None } else { read_facts(path).ok() };
    let said: Value = facts.and_then(|facts| serde_json::from_str(&facts).ok()).unwrap_or_default();
    said["task"] == task && said["split"] == split && said["subset"] == subset
}

fn below(results: &Path, [task, split, subset]: [String; 3]) -> PathBuf {
    results.join("outcomes").join(task).join(split).join(format!("{subset}.parquet"))
}
