//! What was found in result folders.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_results::reading::{Meta, Summary};

use super::left_out::LeftOut;

/// All results below some folders.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// Models, revisions and experiments, sorted by their place.
    pub folders: Vec<ResultsFolder>,
    /// Files that hold no usable result.
    pub left_out: Vec<LeftOut>,
}

impl Collection {
    /// All files of a task, also as they were before scores in them were replaced.
    pub fn files_of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a Arc<Summary>> {
        self.folders.iter().flat_map(move |folder| {
            let files = folder.files.iter().filter(move |file| file.task == task);
            files.chain(folder.before.get(task).into_iter().flatten())
        })
    }

    /// The names of the tasks whose means are among the results.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        let files = self.folders.iter().flat_map(|folder| &folder.files);
        let origins = files.flat_map(|file| &file.entries).filter_map(|entry| entry.origin.as_ref());
        origins.flat_map(|origin| origin.members.keys()).map(String::as_str)
    }
}

/// The results of one model, revision and experiment.
#[derive(Clone, Debug, Default)]
pub struct ResultsFolder {
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
    pub files: Vec<Arc<Summary>>,
    /// The same files as they were before scores in them were replaced, by task, the newest first.
    pub before: Before,
}

/// Files of tasks as they were before scores in them were replaced, the newest first.
pub type Before = BTreeMap<String, Vec<Arc<Summary>>>;

/// The newest of what `files` say of their model.
pub fn newest_state<'a>(files: impl Iterator<Item = &'a Arc<Summary>>) -> Option<&'a str> {
    let told = files.filter_map(|file| Some((file.date.unwrap_or(0.0), file.state.as_deref()?)));
    told.max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, state)| state)
}
