//! A stretch of the work of a task.

/// A stretch of work; times in seconds from the first phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Name as the reference gives it.
    pub name: String,
    /// Begin.
    pub start: f64,
    /// End.
    pub end: f64,
    /// Split, empty for loading.
    pub split: String,
    /// Subset, empty for loading.
    pub subset: String,
}
