//! The files that a unit needs, before any of them is fetched.

/// A file of a dataset that is fetched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NeededFile {
    /// The dataset, of the hub as `organisation/name`.
    pub dataset: String,
    /// Its revision.
    pub revision: String,
    /// Path in the dataset.
    pub path: String,
    /// Bytes.
    pub bytes: u64,
    /// True if it is on this machine.
    pub is_here: bool,
}
