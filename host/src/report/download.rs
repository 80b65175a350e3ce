//! A bar for downloads.

use indicatif::ProgressBar;
use mteb_hub::{Progress, Report};

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
}
