//! What a file of a folder of results holds.

use std::sync::Arc;

use super::collection::ResultFile;
use super::file_fault::IndexedFault;
use super::meta::Meta;

/// What became of a file.
pub type Outcome = Result<Content, IndexedFault>;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Content {
    /// `model_meta.json`.
    Meta(Meta),
    /// Scores of a task.
    Result(Arc<ResultFile>),
}
