//! A bar for downloads, and what they brought.

use std::path::PathBuf;

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
        for line in moved_lines(&brought.moved_away) {
            self.bar.suspend(|| output::warn(line));
        }
    }
}

/// Says what was moved away from the names of bytes.
pub fn moved_lines(places: &[PathBuf]) -> impl Iterator<Item = String> {
    places.iter().map(|place| {
        let place = place.display();
        format!(
            "a file in the place of a download had other content and was moved to {place}; you can remove it"
        )
    })
}

/// Says which files could not be checked by a hash; `None` if all could.
pub fn unchecked_line(files: &[String]) -> Option<String> {
    let named = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let line = format!("the hub gave no hash, so only the size was checked of: {named}{more}");
    (!files.is_empty()).then_some(line)
}
