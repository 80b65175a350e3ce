//! Why a reranker's scores of pairs cannot be had.

use std::io;
use std::path::PathBuf;

use mteb_graded::GradedError;
use mteb_items::rankings::RankingsError;
use mteb_models::encode::EncodeError;

use super::place_error::PlaceError;

/// Scores that cannot be computed, read or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RerankingError {
    /// The model scores no pairs.
    #[error("model {0}: expected a reranker, which scores pairs of texts, found one that does not")]
    NoReranker(String),
    /// Something else is where the scores are to be.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The pool does not have the text of a document.
    #[error(
        "{task}: expected the text of each reranked document in its pool, found none of {document}; make the pool with this \
         ranking, at least as deep as the reranking"
    )]
    NoText {
        /// The task.
        task: String,
        /// Id of the document.
        document: String,
    },
    /// The model fails.
    #[error(transparent)]
    Model(#[from] EncodeError),
    /// A file or folder cannot be read.
    #[error(transparent)]
    Read(#[from] GradedError),
    /// A file of scores cannot be right.
    #[error(transparent)]
    Scores(#[from] RankingsError),
    /// The scores cannot be kept.
    #[error("{}: cannot write it: {source}", .path.display())]
    Unwritable {
        /// Where they should be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
