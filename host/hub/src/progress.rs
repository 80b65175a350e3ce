//! How far a fetch is.

/// State of a fetch; bytes that were in the cache before do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files that are there.
    pub files_done: u64,
    /// Files to fetch.
    pub files: u64,
    /// Bytes that have arrived.
    pub bytes_done: u64,
    /// Bytes to fetch, as far as it is known.
    pub bytes: u64,
}

/// Is told how far a fetch is.
pub trait Report: Sync {
    /// The fetch is this far now.
    fn progress(&self, progress: Progress);
}

/// Nobody is told.
#[derive(Clone, Copy, Debug)]
pub struct NoReport;

impl Report for NoReport {
    fn progress(&self, _: Progress) {}
}
