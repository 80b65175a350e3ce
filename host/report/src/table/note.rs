//! Why a score does not count, counts marked, or cannot be right.

use std::path::PathBuf;

use mteb_results::Violation;

use super::column::Unit;

/// What is to be said of a score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellNote {
    /// It is of other data, or may be, or of another model.
    #[error("{0}")]
    Data(String),
    /// It is another score than the main score of its entry, or that is another measure.
    #[error("{0}")]
    Measure(String),
    /// It does not follow from the parts beside it.
    #[error("doubtful: {0}")]
    Doubt(String),
}

impl CellNote {
    /// The same without the word for its kind, for where all are of one.
    pub fn why(&self) -> &str {
        match self {
            Self::Data(why) | Self::Measure(why) | Self::Doubt(why) => why,
        }
    }

    /// True of a doubt.
    pub fn is_doubt(&self) -> bool {
        matches!(self, Self::Doubt(_))
    }

    /// True if it is about the data.
    pub fn is_of_data(&self) -> bool {
        matches!(self, Self::Data(_))
    }
}

/// What the marks of a score come to, in words.
pub fn title_of_marks(marks: &[CellNote]) -> &'static str {
    match marks {
        _ if marks.iter().all(CellNote::is_doubt) => "doubtful",
        _ if marks.iter().any(CellNote::is_of_data) => "may be from different data",
        _ => "read otherwise",
    }
}

/// A note on the score of a model on a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{row}, {task}: {what}: {note}", what = if *is_marked { "marked" } else { "not counted" })]
pub struct NotedScore {
    /// What the row of the model is called.
    pub row: String,
    /// The model.
    pub model: String,
    /// The task.
    pub task: String,
    /// True if the score counts.
    pub is_marked: bool,
    /// What is said of it.
    pub note: CellNote,
}

/// A score that is on no board because it cannot be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{row}, {task}, split {}, subset {}: left out: {fault}", unit.0, unit.1)]
pub struct LeftOutScore {
    /// What the row of the model is called.
    pub row: String,
    /// The model.
    pub model: String,
    /// The task.
    pub task: String,
    /// The unit.
    pub unit: Unit,
    /// The file that has it.
    pub path: PathBuf,
    /// Why.
    pub fault: ScoreFault,
}

impl LeftOutScore {
    /// What is said of it where its row is known.
    pub fn of_row(&self) -> String {
        let (Self { task, fault, .. }, (split, subset)) = (self, &self.unit);
        format!("{task}, split {split}, subset {subset}: left out: {fault}")
    }
}

/// Why a score is on no board.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
    /// The outcomes beside its file contradict it.
    #[error("{0}")]
    ByOutcomes(String),
    /// A historic file has it, and no number in it.
    #[error("score `{0}`: expected a number, found none")]
    NoNumber(String),
}
