//! Where outcomes lie: beside the results of their model.

use std::path::{Path, PathBuf};

use mteb_files::folder_name;

/// The file of outcomes of a unit in the folder `results` of a model: `outcomes/<task>/<split>/<subset>.parquet`.
pub fn outcomes_file(results: &Path, task: &str, split: &str, subset: &str) -> PathBuf {
    let name = format!("{}.parquet", folder_name(subset));
    results.join("outcomes").join(folder_name(task)).join(folder_name(split)).join(name)
}
