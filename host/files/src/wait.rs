//! Waits for other writers of a folder, up to a limit, and words the error about one that keeps its
//! lock.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Who writes holds a folder for the time of one file; on a slow disk that is seconds.
const LONGEST: Duration = Duration::from_secs(20);

/// The same once nobody is to wait any more: a writer that is at work has ended by then, unless it
/// is one of many.
const HURRIED: Duration = Duration::from_millis(500);

/// Between two looks at a folder that is held, at first and at the most: of many who wait, none is
/// to keep a file server busy.
const PAUSES: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(80)];

static HURRIES: AtomicBool = AtomicBool::new(false);

/// From here on no folder that another program has locked is waited for: this process is to end.
pub fn stop_waiting() {
    HURRIES.store(true, Ordering::SeqCst);
}

/// What the system's lock of a folder came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flock {
    /// It is this process's.
    Taken,
    /// Somebody else's.
    Busy,
    /// The file system has none: Lustre by default, NFS without its daemon.
    Absent,
}

/// A wait for one who holds a folder.
#[derive(Debug)]
pub struct Wait {
    since: Instant,
    longest: Duration,
    pause: Duration,
}

impl Wait {
    /// A wait as long as any writer may need.
    pub fn new() -> Self {
        Self::of(LONGEST)
    }

    /// A wait of at most `longest`.
    pub fn of(longest: Duration) -> Self {
        Self { since: Instant::now(), longest, pause: PAUSES[0] }
    }

    /// Begins anew: somebody else holds it now, who may need as long.
    pub fn begin_anew(&mut self) {
        self.since = Instant::now();
    }

    /// Sleeps for a moment.
    ///
    /// # Errors
    /// [`ErrorKind::TimedOut`] if `folder`, which `who` holds, was waited for long enough.
    pub fn pause(&mut self, folder: &Path, who: &str) -> io::Result<()> {
        let longest = if HURRIES.load(Ordering::SeqCst) { self.longest.min(HURRIED) } else { self.longest };
        if self.since.elapsed() > longest {
            return Err(held(folder, longest, who));
        }
        thread::sleep(self.pause);
        self.pause = (self.pause * 2).min(PAUSES[1]);
        Ok(())
    }
}

/// Tries once to take the system's lock for this process alone.
pub fn try_flock(folder: &File) -> Flock {
    tried(folder, FlockOperation::NonBlockingLockExclusive)
}

/// Tries once to take the system's lock together with others who take it so: it keeps out who wants
/// it alone, as versions before the claims do.
pub fn try_shared(folder: &File) -> Flock {
    tried(folder, FlockOperation::NonBlockingLockShared)
}

fn tried(folder: &File, operation: FlockOperation) -> Flock {
    loop {
        match flock(folder, operation) {
            Ok(()) => return Flock::Taken,
            Err(Errno::WOULDBLOCK) => return Flock::Busy,
            Err(Errno::INTR) => {}
            Err(_) => return Flock::Absent,
        }
    }
}

/// Lets go of the lock.
pub fn let_go(folder: &File) {
    // It goes with the open folder at the latest.
    let _ = flock(folder, FlockOperation::Unlock);
}

fn held(folder: &Path, waited: Duration, who: &str) -> io::Error {
    let message = format!(
        "the folder {} has been locked by another program for {} seconds, expected a moment; look for a stopped `mteb-host` and end it \
         ({who})",
        folder.display(),
        waited.as_secs_f32()
    );
    io::Error::new(ErrorKind::TimedOut, message)
}
