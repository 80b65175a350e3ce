//! A unit of results that somebody submits.

use std::path::PathBuf;

/// A unit that is submitted.
pub struct Submitted {
    /// Folder of the model's results.
    pub place: PathBuf,
    /// What the row of the model is called.
    pub model: String,
    /// Task.
    pub task: String,
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// Main score.
    pub score: f64,
}

impl Submitted {
    /// The unit in words.
    pub fn to_text(&self) -> String {
        format!("{}, {}, split {}, subset {}", self.model, self.task, self.split, self.subset)
    }
}
