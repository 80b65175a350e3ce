//! Why a score cannot be right.

use mteb_results::Violation;

/// Why a score is on no board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreFault {
    /// It does not follow from what stands beside it in its file.
    #[error("{0}")]
    InFile(String),
    /// It is out of the bounds of its measure.
    #[error(transparent)]
    Bounds(#[from] Violation),
    /// It has no number, and the score that it stands for has one.
    #[error("expected `main_score` to be the score `{name}`, which is {score}, found no number")]
    Undefined {
        /// The score that it stands for.
        name: String,
        /// What that is.
        score: f64,
    },
    /// It has another number than the score that it stands for.
    #[error("expected `main_score` to be the score `{name}`, found: {found}")]
    Other {
        /// The score that it stands for.
        name: String,
        /// What it is.
        found: f64,
    },
    /// A historic file has it, and no number in it.
    #[error("score `{0}`: expected a number, found none")]
    NoNumber(String),
}
