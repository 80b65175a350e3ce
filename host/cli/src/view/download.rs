//! A bar for downloads, one line for those that go on side by side, and what they brought.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;
use mteb_hub::{Brought, Progress, Report};

use crate::output;

/// Files that a line names.
const NAMED: usize = 5;

/// Shows bytes and files while something is fetched, and goes when all is there.
pub struct DownloadBar {
    bar: ProgressBar,
}

impl DownloadBar {
    /// Shows downloads on `bar`, which counts bytes.
    pub fn new(bar: ProgressBar) -> Self {
        Self { bar }
    }
}

impl Report for DownloadBar {
    fn progress(&self, progress: Progress) {
        if progress.files_done == progress.files {
            self.bar.finish_and_clear();
            return;
        }
        if self.bar.is_finished() || progress.bytes_done == 0 {
            self.bar.reset();
        }
        self.bar.set_length(progress.bytes);
        self.bar.set_position(progress.bytes_done);
        self.bar.set_message(format!("{}/{} files", progress.files_done, progress.files));
    }

    fn brought(&self, brought: &Brought) {
        self.bar.finish_and_clear();
        if let Some(line) = describe_unchecked(&brought.unchecked) {
            self.bar.suspend(|| output::warn(line));
        }
        for line in describe_moved(&brought.moved_away) {
            self.bar.suspend(|| output::warn(line));
        }
    }
}

/// Says what was moved away from the names of bytes.
pub fn describe_moved(places: &[PathBuf]) -> impl Iterator<Item = String> {
    places.iter().map(|place| {
        let place = place.display();
        format!(
            "a file in the place of a download had other content and was moved to {place}; you can remove it"
        )
    })
}

/// Says which files could not be checked by a hash; `None` if all could.
pub fn describe_unchecked(files: &[String]) -> Option<String> {
    let named = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let line = format!("the hub gave no hash, so only the size was checked of: {named}{more}");
    (!files.is_empty()).then_some(line)
}

/// A bar over all bytes that are to be fetched, whoever fetches them.
pub struct Together {
    bar: ProgressBar,
    files: u64,
    files_done: AtomicU64,
}

/// One of those who fetch.
pub struct Share {
    together: Arc<Together>,
    /// Bytes of the present fetch that the bar knows of.
    counted: AtomicU64,
    brought: Mutex<Brought>,
}

impl Together {
    /// A bar for `files` files of `bytes` bytes.
    pub fn new(bar: ProgressBar, files: u64, bytes: u64) -> Arc<Self> {
        bar.set_length(bytes);
        bar.set_message(format!("0/{files} files"));
        Arc::new(Self { bar, files, files_done: AtomicU64::new(0) })
    }

    /// The report of one who fetches.
    pub fn share(self: &Arc<Self>) -> Share {
        Share { together: Arc::clone(self), counted: AtomicU64::new(0), brought: Mutex::default() }
    }

    /// The bar goes.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Share {
    /// What was brought since this was asked for the last time.
    pub fn take(&self) -> Brought {
        std::mem::take(&mut *self.brought.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Report for Share {
    fn progress(&self, progress: Progress) {
        let before = self.counted.swap(progress.bytes_done, Ordering::Relaxed);
        self.together.bar.inc(progress.bytes_done.saturating_sub(before));
    }

    fn brought(&self, brought: &Brought) {
        self.counted.store(0, Ordering::Relaxed);
        let done = self.together.files_done.fetch_add(brought.files, Ordering::Relaxed) + brought.files;
        self.together.bar.set_message(format!("{done}/{} files", self.together.files));
        let mut sum = self.brought.lock().unwrap_or_else(PoisonError::into_inner);
        sum.files += brought.files;
        sum.bytes += brought.bytes;
        sum.unchecked.extend(brought.unchecked.iter().cloned());
        sum.moved_away.extend(brought.moved_away.iter().cloned());
    }
}
