//! A bar for downloads, and what they brought.

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
        if let Some(line) = unchecked_line(&brought.unchecked) {
            self.bar.suspend(|| output::warn(line));
        }
    }
}

/// Counts what downloads bring, and tells somebody else too.
pub struct Tally {
    next: Arc<dyn Report + Send + Sync>,
    sum: Mutex<Brought>,
}

impl Tally {
    /// A count of nothing yet; `next` is told of everything.
    pub fn new(next: Arc<dyn Report + Send + Sync>) -> Self {
        Self { next, sum: Mutex::default() }
    }

    /// What was brought since this was asked for the last time.
    pub fn take(&self) -> Brought {
        std::mem::take(&mut *self.sum.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Report for Tally {
    fn progress(&self, progress: Progress) {
        self.next.progress(progress);
    }

    fn brought(&self, brought: &Brought) {
        let mut sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        sum.files += brought.files;
        sum.bytes += brought.bytes;
        drop(sum);
        self.next.brought(brought);
    }
}

fn unchecked_line(files: &[String]) -> Option<String> {
    let named = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let line =
        format!("the hub gave no hash to check the bytes by, so only the size was checked of: {named}{more}");
    (!files.is_empty()).then_some(line)
}
