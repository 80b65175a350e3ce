//! How far a fetch is, and what it brought.

use std::path::PathBuf;

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

/// What a fetch brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brought {
    /// Files that were not in the cache before.
    pub files: u64,
    /// Bytes that have arrived.
    pub bytes: u64,
    /// Those of the files whose hash the hub did not give: their size was checked, and nothing else.
    pub unchecked: Vec<String>,
    /// Where bytes are now that had the name of others: they were not those that their hash promises.
    pub moved_away: Vec<PathBuf>,
}

/// Is told how far a fetch is.
pub trait Report: Sync {
    /// The fetch is this far now.
    fn progress(&self, progress: Progress);

    /// The fetch ends; said also where it failed, if it brought anything.
    fn brought(&self, _brought: &Brought) {}
}

/// Nobody is told.
#[derive(Clone, Copy, Debug)]
pub struct NoReport;

impl Report for NoReport {
    fn progress(&self, _: Progress) {}
}
