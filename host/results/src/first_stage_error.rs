//! Why the rankings of a first stage cannot be had.

use std::io;
use std::path::PathBuf;

use mteb_items::rankings::RankingsError;

/// Rankings that are not there, are those of several models, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FirstStageError {
    /// A folder of results, or a file with rankings, cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No results there have rankings.
    #[error("{}: expected results with rankings (`run --rankings` or `--predictions`), found none", .0.display())]
    NoRankings(PathBuf),
    /// Several models there have rankings.
    #[error(
        "{}: expected the results of one model with rankings, found those of {count}, as {} and {}; name the folder of one",
        .folder.display(), .first.display(), .second.display()
    )]
    Several {
        /// The folder that was named.
        folder: PathBuf,
        /// How many models.
        count: usize,
        /// The results of the first one.
        first: PathBuf,
        /// Those of the second one.
        second: PathBuf,
    },
    /// The unit has no rankings.
    #[error(
        "{}: expected rankings of {unit}, found none; score that first, with `run --rankings`", .folder.display()
    )]
    NotRanked {
        /// The results.
        folder: PathBuf,
        /// The unit.
        unit: String,
    },
    /// The file with the rankings cannot be right.
    #[error(transparent)]
    Rankings(#[from] RankingsError),
}
