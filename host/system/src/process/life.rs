//! When a process began, and whether it has ended.

/// What the system says of the life of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// When it began, in a unit of the system's own: two processes of one number began at different times.
    pub began: u64,
    /// True if it has ended and only waits to be asked how.
    pub has_ended: bool,
}
