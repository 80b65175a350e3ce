//! Why a score does not count, or counts marked.

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
