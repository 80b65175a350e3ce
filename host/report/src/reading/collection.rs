//! What was found in result folders.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Meta;

/// All results below some folders.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// Models, revisions and experiments, sorted by their place.
    pub folders: Vec<Folder>,
    /// Files that hold no usable result.
    pub left_out: Vec<LeftOut>,
}

/// A file that was not read, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The file.
    pub path: PathBuf,
    /// What was expected and what was found.
    pub why: String,
}

/// The results of one model, revision and experiment.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Its place.
    pub path: PathBuf,
    /// Name of the model: of its `model_meta.json`, else of its folder.
    pub model: String,
    /// Revision, `None` where `model_meta.json` says that there is none.
    pub revision: Option<String>,
    /// Name of the folder below `experiments/`.
    pub experiment: Option<String>,
    /// What `model_meta.json` says; `None` where there is none.
    pub meta: Option<Meta>,
    /// One file a task, sorted by name.
    pub files: Vec<Arc<ResultFile>>,
}

/// The results of a model on a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultFile {
    /// Name of the task, as the file says it.
    pub task: String,
    /// Name of the file without its ending.
    pub stem: String,
    /// The model that a file of this host names.
    pub model: Option<String>,
    /// Revision of the data.
    pub dataset_revision: String,
    /// Version of the reference that wrote the file, or whose protocol it follows.
    pub version: Option<String>,
    /// Unix seconds of its last change, where the file says it.
    pub date: Option<f64>,
    /// Seconds of work, where the file says it.
    pub evaluation_time: Option<f64>,
    /// True if the file has the form of before mteb 1.11.
    pub is_historic: bool,
    /// True if this host wrote the file.
    pub is_ours: bool,
    /// One entry a split and subset, in the order of the file.
    pub entries: Vec<Entry>,
}

/// Scores of one split and subset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the split.
    pub split: String,
    /// Name of the subset.
    pub subset: String,
    /// Languages as the file says them; none in historic files.
    pub languages: Vec<String>,
    /// The score that stands for the unit; `None` if it is undefined, and in historic files that do not name it.
    pub main_score: Option<f64>,
    /// Scores by name: of historic files and of those of this host.
    pub scores: BTreeMap<String, f64>,
    /// What the score was made from, where the file says it.
    pub origin: Option<Origin>,
}

/// What a score of this host was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Data and options as text: equal texts mean scores that can be compared.
    pub made_from: Option<String>,
    /// Type of the task.
    pub task_type: Option<String>,
    /// Name of the main score.
    pub main_score: Option<String>,
    /// True if the score is of another state of the model than the file.
    pub is_of_another_model: bool,
}

impl ResultFile {
    /// The entry of a unit.
    pub fn entry(&self, split: &str, subset: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.split == split && entry.subset == subset)
    }
}

impl Entry {
    /// The main score, where its name is known for historic files.
    pub fn main(&self, name: &str) -> Option<f64> {
        self.main_score.or_else(|| self.scores.get(name).copied()).filter(|score| score.is_finite())
    }
}
