//! Why a unit or a task has no score; a panic of an evaluator fails its unit, not the run.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use mteb_data::{DataError, shorten};
use mteb_results::{FirstStageError, ItemsFault, PlaceFault, Violation};
use mteb_source::SourceError;
use mteb_tasks::{EvaluateError, OtherSearch};

/// A unit or a task without a score.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The data cannot be had.
    #[error(transparent)]
    Data(#[from] SourceError),
    /// The data is not what a unit needs.
    #[error(transparent)]
    Table(#[from] DataError),
    /// The data cannot be planned or scored, or the model failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The first items cannot be scored; all of them may be.
    #[error("{why}; only the first {items} of each kind were read, a higher `--limit` reads more")]
    FirstItems {
        /// What is wrong with these.
        why: String,
        /// How many of each kind were read.
        items: usize,
    },
    /// The first stage has no rankings of the unit.
    #[error(transparent)]
    FirstStage(#[from] FirstStageError),
    /// A score is out of its bounds.
    #[error(transparent)]
    Scores(#[from] Violation),
    /// The scores do not follow from those of single items.
    #[error(transparent)]
    Items(#[from] ItemsFault),
    /// The main score is not among the scores.
    #[error("expected the main score `{expected}` among the scores, found {found}")]
    NoMainScore {
        /// Its name.
        expected: String,
        /// The names of the first scores.
        found: String,
    },
    /// An evaluator or a library panicked.
    #[error("internal error, please report it: {0}")]
    Panic(String),
    /// A file changed while the unit was scored.
    #[error("{}: expected the file as it was when the unit was read, found a change; run again", .0.display())]
    Changed(PathBuf),
    /// The data is not that of the plan.
    #[error("expected the data of the plan, found other data here: {change}{remedy}")]
    OtherData {
        /// What differs.
        change: String,
        /// What to do, with the mark before it.
        remedy: &'static str,
    },
    /// The draws that those of the unit continue were not made.
    #[error(
        "its draws continue those of split {split}, subset {subset}, which could not be made ({reason}); fix \
         that one, or leave it out: `--task TASK:SUBSET` with `--draws selected` draws only for the selected \
         subsets, whose scores then differ"
    )]
    NoDraws {
        /// Split of the unit before.
        split: String,
        /// Its subset.
        subset: String,
        /// Why it made none.
        reason: String,
    },
    /// What shards have found does not belong together.
    #[error(transparent)]
    Ranges(#[from] OtherSearch),
    /// Nothing says what the unit was read from.
    #[error("expected to know what the unit was read from")]
    NoFacts,
    /// The task cannot be run at all.
    #[error("this task is listed but cannot be run: {0}")]
    Unsupported(String),
    /// The task ranks no documents.
    #[error("task {task}: expected a task that ranks documents, found one of type {task_type}")]
    NoRanking {
        /// The task.
        task: String,
        /// Its type.
        task_type: String,
    },
    /// The result file cannot be read, or is somebody else's.
    #[error(transparent)]
    Place(#[from] PlaceFault),
    /// The results are of something else and may not be replaced.
    #[error(
        "{}: expected results of this data and this model, found others ({reason}); run with \
         `--overwrite missing` to score again", .path.display()
    )]
    OtherResults {
        /// The result file.
        path: PathBuf,
        /// What of them is other.
        reason: String,
    },
    /// Results are missing and may not be added to.
    #[error("{}: the results are incomplete; run with `--overwrite missing` to add to them", .0.display())]
    Incomplete(PathBuf),
    /// A file cannot be written.
    #[error("{}: cannot write {what}: {source}", .path.display())]
    CannotWrite {
        /// The file or folder.
        path: PathBuf,
        /// What it would hold.
        what: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// What belongs to an earlier result cannot be moved away.
    #[error("{}: {source}", .path.display())]
    CannotMove {
        /// The result file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl UnitError {
    /// The error of a file or folder that cannot be written.
    pub fn cannot_write(path: &Path, what: &'static str, source: io::Error) -> Self {
        Self::CannotWrite { path: path.to_owned(), what, source }
    }

    /// One line for people and reports; what data brings into it is cut where it is too long.
    pub fn reason(&self) -> String {
        shorten(self.to_string())
    }
}

/// Does `work`, of which a panic is an error of the unit.
///
/// # Errors
/// That of `work`, or its panic.
pub fn catch_panic<R>(work: impl FnOnce() -> Result<R, UnitError>) -> Result<R, UnitError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(UnitError::Panic(panic_message(payload.as_ref()))))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
