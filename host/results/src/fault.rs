//! Why a result file cannot be right.

use std::io;
use std::path::PathBuf;

use mteb_json::JsonError;
use mteb_tasks::EvaluateError;

use super::bounds::Violation;

/// The key of the scores of single experiments, as the reference has it.
pub(super) const EXPERIMENTS: &str = "scores_per_experiment";

/// Why a result file cannot be right; without its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no JSON, or has a key twice.
    #[error("expected JSON: {0}")]
    Json(#[from] JsonError),
    /// It has a key twice; this says which and where.
    #[error(transparent)]
    KeyTwice(serde_json::Error),
    /// It is JSON of something else.
    #[error("expected a result file, found other JSON")]
    OtherJson,
    /// It is JSON of another form.
    #[error("expected a result file: {0}")]
    Form(#[source] serde_json::Error),
    /// A field is missing.
    #[error("expected a result file with `{0}`, found none")]
    Missing(&'static str),
    /// It has the results of another task.
    #[error("expected results of the task {expected}, found: {found}")]
    OtherTask {
        /// The task that was asked for.
        expected: String,
        /// The task that it names.
        found: String,
    },
    /// A field holds something else than it is there for.
    #[error("expected {0}, found something else")]
    Field(&'static str),
    /// Its scores were made by another version of the reference.
    #[error("expected scores of mteb {expected}, found: {found}")]
    Version {
        /// Versions that can be read.
        expected: String,
        /// The version that it names.
        found: String,
    },
    /// A split is there twice.
    #[error("expected once, found twice")]
    SplitTwice,
    /// A unit has two entries.
    #[error("expected one entry, found two")]
    TwoEntries,
    /// A score is out of the bounds of its measure.
    #[error(transparent)]
    Score(#[from] Violation),
    /// A score, such as the main one, does not follow from what stands beside it.
    #[error("expected `{name}` to be {expected}, found: {found}")]
    Derived {
        /// Its name.
        name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The main score is undefined, and the score that it is to be is not.
    #[error("expected `main_score` to be the score `{name}`, which is {score}, found no number")]
    Undefined {
        /// Name of the main score.
        name: String,
        /// Its value.
        score: f64,
    },
    /// There are more or fewer experiments than the options ask for.
    #[error("expected {expected} scores in `{key}`, as its options say, found {found}")]
    Count {
        /// The key of the experiments.
        key: String,
        /// As many as the options ask for.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// A split cannot be right.
    #[error("split {split}: {fault}")]
    Split {
        /// Its name.
        split: String,
        /// Why.
        #[source]
        fault: Box<ResultFault>,
    },
    /// The entry of a unit cannot be right.
    #[error("split {split}, subset {subset}: {fault}")]
    Unit {
        /// Its split.
        split: String,
        /// Its subset.
        subset: String,
        /// Why.
        #[source]
        fault: Box<ResultFault>,
    },
}

impl ResultFault {
    /// A main score that is not what it should be.
    pub(super) fn main_score(expected: impl Into<String>, found: impl ToString) -> Self {
        Self::derived("main_score", expected, found)
    }

    /// The same of the score called `name`.
    pub(super) fn derived(name: &str, expected: impl Into<String>, found: impl ToString) -> Self {
        Self::Derived { name: name.to_owned(), expected: expected.into(), found: found.to_string() }
    }

    /// A main score that is none of the scores beside it.
    pub(super) fn not_among(main: f64) -> Self {
        Self::main_score("one of the scores", main)
    }

    /// A main score that is not the mean of a measure over the experiments beside it.
    pub(super) fn not_a_mean(main: f64) -> Self {
        Self::main_score(format!("the mean of a measure over `{EXPERIMENTS}`"), main)
    }

    /// The same of a split.
    pub(super) fn of_split(self, split: &str) -> Self {
        Self::Split { split: split.to_owned(), fault: Box::new(self) }
    }

    /// The same of the unit (split, subset).
    pub(super) fn of_unit(self, split: &str, subset: &str) -> Self {
        Self::Unit { split: split.to_owned(), subset: subset.to_owned(), fault: Box::new(self) }
    }
}

/// Why the result of a task is not read from its place, or not written there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceFault {
    /// Something else than a regular file is there.
    #[error("{}: {fault}; move it away", path.display())]
    NotAFile {
        /// The place.
        path: PathBuf,
        /// What is there.
        #[source]
        fault: io::Error,
    },
    /// The file that is there cannot be right.
    #[error("{}: {fault}; move it away, or run with `--overwrite always`", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        fault: ResultFault,
    },
}

/// Why the scores of a unit do not follow from its items: a fault of the evaluator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ItemsFault {
    /// Nothing follows from the items.
    #[error("outcomes: {0}; the result is not written, please report this")]
    Evaluate(#[from] EvaluateError),
    /// No main score follows from them.
    #[error(
        "outcomes: expected the main score `{0}` to follow from them; the result is not written, please report this"
    )]
    NoMainScore(String),
    /// Another score follows from them.
    #[error(
        "outcomes: expected them to give the score `{name}`, {score}, found {found}; the result is not written, \
         please report this"
    )]
    OtherScore {
        /// Name of the score.
        name: String,
        /// The score of the unit.
        score: f64,
        /// What its items come to.
        found: f64,
    },
}
