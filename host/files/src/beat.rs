//! The sign of life of who holds a claim: the time of its file, which one thread of the process sets anew every second.

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::fs::{Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, futimens};

/// Between two signs.
const PAUSE: Duration = Duration::from_secs(1);

/// The stack of a thread that does next to nothing.
const STACK: usize = 128 << 10;

/// A file that shows signs of life until this is dropped.
#[derive(Debug)]
pub struct Beat(Arc<File>);

#[derive(Debug)]
struct Beating {
    files: Vec<Arc<File>>,
    has_thread: bool,
}

static BEATING: Mutex<Beating> = Mutex::new(Beating { files: Vec::new(), has_thread: false });

impl Beat {
    /// Lets `file` show signs of life. Where there is no room for a thread it shows none: others may take the claim then, which its
    /// holder notices.
    pub fn of(file: Arc<File>) -> Self {
        let mut beating = BEATING.lock().unwrap_or_else(PoisonError::into_inner);
        beating.files.push(Arc::clone(&file));
        if !beating.has_thread {
            let thread = thread::Builder::new().stack_size(STACK).name("claims".to_owned());
            beating.has_thread = thread.spawn(show_life).is_ok();
        }
        Self(file)
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        let mut beating = BEATING.lock().unwrap_or_else(PoisonError::into_inner);
        beating.files.retain(|file| !Arc::ptr_eq(file, &self.0));
    }
}

fn show_life() {
    let now = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: 0, tv_nsec: UTIME_NOW },
    };
    loop {
        thread::sleep(PAUSE);
        let files = {
            let mut beating = BEATING.lock().unwrap_or_else(PoisonError::into_inner);
            if beating.files.is_empty() {
                beating.has_thread = false;
                return;
            }
            beating.files.clone()
        };
        for file in files {
            // A file server that is away for a while says so here, too; the holder notices it by itself.
            let _ = futimens(&file, &now);
        }
    }
}
