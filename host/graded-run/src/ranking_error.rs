//! Why the rankings of a unit, or the scores beside them, do not serve.

use std::io;
use std::path::PathBuf;

use mteb_graded::GradedError;
use mteb_items::rankings::RankingsError;
use mteb_results::{ResultFault, UnitName};

/// Rankings or scores that are absent, of something else, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RankingError {
    /// Nobody has ranked the unit.
    #[error(
        "{unit}: expected rankings in {}, found none; run `mteb-host graded rank MODEL` first", shown(.folders)
    )]
    None {
        /// The unit.
        unit: String,
        /// The folders of results that were looked in.
        folders: Vec<PathBuf>,
    },
    /// A ranking holds fewer documents than are asked for.
    #[error(
        "{}: expected the best {expected} documents of each query, found a ranking of {found}; `mteb-host graded rank` \
         makes a deeper one",
        .path.display()
    )]
    Shallow {
        /// The run file.
        path: PathBuf,
        /// Documents of each query that are needed.
        expected: usize,
        /// Documents of each query that were asked for when it was made.
        found: usize,
    },
    /// A ranking is of other data.
    #[error(
        "{}: expected a ranking of {expected}, found one of {found}; run `mteb-host graded rank` again{}",
        .path.display(),
        if .expected.starts_with("pack ") { ", with `--registry` if it is of an earlier edition" } else { "" }
    )]
    OtherData {
        /// The run file.
        path: PathBuf,
        /// The data of the pool.
        expected: String,
        /// The data that was searched.
        found: String,
    },
    /// Two rankings of a unit are of one system.
    #[error(
        "expected one ranking of {task} by {system}, found two: {} and {}", .paths[0].display(), .paths[1].display()
    )]
    Twice {
        /// The task.
        task: String,
        /// The system.
        system: String,
        /// Both run files.
        paths: Box<[PathBuf; 2]>,
    },
    /// A ranking that is given has the name of another one.
    #[error(
        "expected one ranking of {task} by {system}, found two; give one of them another name: `--rankings-file NAME=FILE`"
    )]
    GivenTwice {
        /// The task.
        task: String,
        /// The system.
        system: String,
    },
    /// A ranking that is given holds fewer documents than are asked of it.
    #[error(
        "{task}: expected the best {expected} documents of each query by {system}, found at most {found}; give a deeper \
         ranking, or a smaller `--depth`"
    )]
    GivenShallow {
        /// The task.
        task: String,
        /// The system.
        system: String,
        /// Documents of each query that are needed.
        expected: usize,
        /// Documents of the query that has most.
        found: usize,
    },
    /// A folder of results cannot be read.
    #[error("{}: cannot read the folder: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run file cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run file holds no rankings.
    #[error(transparent)]
    Rankings(#[from] RankingsError),
    /// The hash of a run file cannot be had.
    #[error(transparent)]
    Hash(#[from] GradedError),
    /// The results beside a ranking cannot be right.
    #[error("{}: {source}", .path.display())]
    Results {
        /// The result file.
        path: PathBuf,
        /// Why.
        source: ResultFault,
    },
    /// A folder of results is not there.
    #[error("{}: expected a folder of results, found none", .0.display())]
    NoFolder(PathBuf),
    /// No system has scores of all tasks.
    #[error(
        "{}: expected results of a system on all of the evaluated tasks, found none; run `mteb-host graded rank` first",
        shown(.0)
    )]
    NoScores(Vec<PathBuf>),
}

impl RankingError {
    /// No ranking of `unit` is in the folders `results`.
    pub(crate) fn none(unit: UnitName<'_>, results: &[PathBuf]) -> Self {
        Self::None { unit: unit.to_string(), folders: results.to_vec() }
    }
}

fn shown(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}
