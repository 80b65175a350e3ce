//! What the author of a task pack implements.

use super::PluginError;

/// A pack of tasks.
pub trait TaskPack: Send {
    /// Makes the task called `name`, one of the manifest's `tasks`.
    ///
    /// # Errors
    /// If there is no such task.
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError>;
}

/// One task of a pack.
pub trait Task: Send {
    /// The task card, as TOML text.
    ///
    /// # Errors
    /// If the card cannot be given.
    fn card(&self) -> Result<String, PluginError>;

    /// Rows of `part` as JSON lines, one object a line.
    ///
    /// `part` is `rows` for most types, or `corpus`, `queries`, `qrels`, `top_ranked`, `instruction`,
    /// `qrel_diff`; `split` is the evaluation split, or the training split of `rows`.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is no such subset, part or split.
    fn rows(&self, subset: &str, part: &str, split: &str) -> Result<String, PluginError>;

    /// Scores a task of a type the host does not know. `json` holds the columns; the answer is an object.
    ///
    /// # Errors
    /// If the task's type is one of the host's, or scoring fails.
    fn score(&self, json: &str) -> Result<String, PluginError> {
        let _ = json;
        Err(PluginError::unsupported("score"))
    }

    /// Answers a method that the manifest lists under `features`.
    ///
    /// # Errors
    /// If there is no such method, or it fails.
    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        let _ = json;
        Err(PluginError::unsupported(method))
    }
}
