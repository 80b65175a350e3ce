//! Why a unit has no pool, or its pairs have no grades.

use std::path::PathBuf;

use mteb_graded::GradedError;
use mteb_graded::pool::PoolError;
use mteb_source::SourceError;
use mteb_tasks::EvaluateError;

use super::ranking_error::RankingError;

/// A pool that cannot be made, or that is not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolingError {
    /// A ranking does not serve.
    #[error(transparent)]
    Ranking(#[from] RankingError),
    /// The data of the unit cannot be had.
    #[error(transparent)]
    Source(#[from] Box<SourceError>),
    /// The data has not what a search needs.
    #[error(transparent)]
    Data(#[from] EvaluateError),
    /// The rankings name a text that the data does not have.
    #[error(transparent)]
    Text(#[from] PoolError),
    /// No query of the task was ranked.
    #[error("{task}: expected queries of the task in the rankings, found none")]
    NoQueries {
        /// The task.
        task: String,
    },
    /// A depth is asked for a system that has not ranked.
    #[error("{task}: expected one of the systems {} for `--depth-of`, found: {found}{hint}", .systems.join(", "))]
    NoSystem {
        /// The task.
        task: String,
        /// The systems that have ranked.
        systems: Vec<String>,
        /// The name that was given.
        found: String,
        /// Which of them may be meant.
        hint: String,
    },
    /// A pool cannot be read.
    #[error(transparent)]
    Read(#[from] GradedError),
    /// There is none.
    #[error(
        "{}: expected pools{}, found none; run `mteb-host graded pool` first",
        .folder.display(),
        if .tasks.is_empty() { String::new() } else { format!(" of {}", .tasks.join(", ")) }
    )]
    NoPools {
        /// The graded folder.
        folder: PathBuf,
        /// The tasks whose pools were asked for; all if none is named.
        tasks: Vec<String>,
    },
    /// Nobody knows the task of the pool.
    #[error("expected a known task, found: {0}")]
    UnknownTask(String),
    /// The task has other data now.
    #[error("{task}: expected {expected}, the data of the pool, found: {found}")]
    OtherData {
        /// The task.
        task: String,
        /// The data of the pool.
        expected: String,
        /// The data of the task.
        found: String,
    },
}
