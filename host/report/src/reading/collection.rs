//! What was found in result folders, and which of their files hold no usable result, or one that
//! cannot be right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use mteb_base::suggest::list_names;
use mteb_results::META;
use mteb_results::reading::{Meta, Summary};

use super::index::IndexedFault;

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

/// Models with a folder of results that lacks `model_meta.json`, sorted by name. They are named
/// after their folders.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: expected `model_meta.json` next to the results, found none; name and revision are taken from the folders, and \
     size, dimension and licence are known only from a model card: copy that file with the results", list_names(.0)
)]
pub struct WithoutMeta(pub Vec<String>);

impl WithoutMeta {
    /// Those of the folders that are shown; `None` if there are none.
    pub fn of(collection: &Collection, is_shown: impl Fn(&ResultsFolder) -> bool) -> Option<Self> {
        // Of a file that cannot be read that was said.
        let is_there = |folder: &ResultsFolder| {
            let file = folder.path.join(META);
            collection.left_out.iter().any(|left| left.path == file)
        };
        let lacking = collection.folders.iter().filter(|folder| folder.meta.is_none());
        let lacking = lacking.filter(|folder| is_shown(folder) && !is_there(folder));
        let models: BTreeSet<&str> = lacking.map(|folder| folder.model.as_str()).collect();
        (!models.is_empty()).then(|| Self(models.into_iter().map(str::to_owned).collect()))
    }
}

/// Files of tasks as they were before scores in them were replaced, the newest first.
pub type Before = BTreeMap<String, Vec<Arc<Summary>>>;

/// The newest of what `files` say of their model.
pub fn newest_state<'a>(files: impl Iterator<Item = &'a Arc<Summary>>) -> Option<&'a str> {
    let told = files.filter_map(|file| Some((file.date.unwrap_or(0.0), file.state.as_deref()?)));
    told.max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, state)| state)
}

/// A file that was not read, or not all of it, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct LeftOut {
    /// The file.
    pub path: PathBuf,
    /// The model of its folder.
    pub model: String,
    /// What was expected and what was found.
    pub why: WhyLeftOut,
}

/// How much of a file counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOutPart {
    /// All of it.
    File,
    /// A score.
    Score,
    /// The name of the model that it should have; the results next to it count.
    ModelName,
}

impl LeftOut {
    /// How much of the file it is.
    pub fn part(&self) -> LeftOutPart {
        match self.why {
            WhyLeftOut::Unread(_) | WhyLeftOut::NoScores | WhyLeftOut::OtherModel { .. } => LeftOutPart::File,
            WhyLeftOut::Unit { .. } => LeftOutPart::Score,
            WhyLeftOut::MetaUnread(_) | WhyLeftOut::MetaNameless => LeftOutPart::ModelName,
        }
    }
}

/// Why a file of results, or an entry of it, counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WhyLeftOut {
    /// It cannot be read.
    #[error("left out: {0}")]
    Unread(IndexedFault),
    /// It has no score.
    #[error("left out: expected scores of a split and subset under `scores`, found none")]
    NoScores,
    /// It has the results of another model than its folder.
    #[error("left out: expected results of the model {expected}, found: {found}")]
    OtherModel {
        /// The model of the folder.
        expected: String,
        /// The model that the file names.
        found: String,
    },
    /// The entry of a unit cannot be right.
    #[error("left out: split {split}, subset {subset}: {fault}")]
    Unit {
        /// Its split.
        split: String,
        /// Its subset.
        subset: String,
        /// What was expected and what was found.
        fault: String,
    },
    /// The `model_meta.json` of a folder cannot be read.
    #[error("{0}; the model is named after its folder")]
    MetaUnread(IndexedFault),
    /// The `model_meta.json` of a folder names no model.
    #[error("expected the name of a model under `name`, found none; the model is named after its folder")]
    MetaNameless,
}
