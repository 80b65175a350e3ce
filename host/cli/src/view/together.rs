//! One progress line for downloads that go on side by side.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;
use mteb_hub::{Brought, Progress, Report};

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
