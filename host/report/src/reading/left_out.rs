//! Files of a folder of results that hold no usable result, or one that cannot be right.

use std::path::PathBuf;

use super::index::IndexedFault;

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
