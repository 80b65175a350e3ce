//! What a file of a folder of results holds.

use std::sync::Arc;

use mteb_results::reading::{Meta, Summary};

use super::indexed_fault::IndexedFault;

/// What became of a file.
pub type Outcome = Result<Content, IndexedFault>;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Content {
    /// `model_meta.json`.
    Meta(Meta),
    /// Scores of a task.
    Result(Arc<Summary>),
}
