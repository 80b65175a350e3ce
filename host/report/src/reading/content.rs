//! What a file of a folder of results holds, or why it counts for nothing, as the index of results keeps it.

use std::sync::Arc;

use mteb_results::ResultFault;
use mteb_results::reading::{Meta, Summary};
use serde::{Deserialize, Serialize};

/// What became of a file.
pub type Outcome = Result<Content, IndexedFault>;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    /// `model_meta.json`.
    Meta(Meta),
    /// Scores of a task.
    Result(Arc<Summary>),
}

/// What a [`ResultFault`] said when the file was read; without the path of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct IndexedFault(String);

impl From<ResultFault> for IndexedFault {
    fn from(fault: ResultFault) -> Self {
        Self(fault.to_string())
    }
}

#[cfg(test)]
mod tests {
    use mteb_results::reading::read_meta;

    use super::*;

    #[test]
    fn the_index_keeps_what_a_fault_says() {
        let fault = read_meta("{").unwrap_err();
        let said = fault.to_string();
        assert!(said.contains("EOF while parsing"), "{said}");
        assert_eq!(IndexedFault::from(fault).to_string(), said);
    }
}
