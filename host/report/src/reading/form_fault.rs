//! Why a text is not read as a result file or as the facts of a model.

/// What was expected of the text, and what was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormFault {
    /// It is no JSON.
    #[error("expected JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// It is JSON whose values are of other types than those of a result file.
    #[error("expected a result file: {0}")]
    Values(#[source] serde_json::Error),
    /// It is JSON of something else.
    #[error("expected a result file, found other JSON")]
    OtherJson,
    /// A key stands twice in an object.
    #[error(transparent)]
    KeyTwice(serde_json::Error),
    /// It lacks a key.
    #[error("expected a result file with `{0}`, found none")]
    Missing(&'static str),
    /// It has the results of another task than its name says.
    #[error("expected results of the task {expected}, found: {found}")]
    OtherTask {
        /// The task that its name says.
        expected: String,
        /// The task that it names.
        found: String,
    },
    /// A split stands twice.
    #[error("split {0}: expected once, found twice")]
    SplitTwice(String),
    /// Something else stands where the scores of a split or of a subset belong.
    #[error("{0}: expected scores, found something else")]
    NoScores(String),
}
