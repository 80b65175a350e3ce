//! The threads that compute: one a processor, or as many as `RAYON_NUM_THREADS` says up to a number that still helps; fewer
//! where the system gives no more.

use std::io;
use std::num::NonZero;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, Builder, JoinHandle, available_parallelism};

use rayon::{ThreadBuilder, ThreadPoolBuildError, ThreadPoolBuilder};

/// Bytes of stack that every thread has at the least.
const STACK: usize = 2 << 20;

/// Variable that says how many threads compute.
pub const THREADS: &str = "RAYON_NUM_THREADS";

/// Threads a processor beyond which more only take memory and time.
const MOST_A_PROCESSOR: usize = 4;

/// The same on a small machine: so many cost nothing worth a word.
const MOST_ANYWHERE: usize = 16;

/// Why nothing can be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThreadsError {
    /// The system gives too few threads for a single one to compute.
    #[error(
        "expected to start at least {least} threads, found that the system gives {found}{}; raise the limit of \
         processes (`ulimit -u`, or that of the container) or of memory (`ulimit -v`, `ulimit -d`)",
        source.as_ref().map_or_else(String::new, |error| format!(" ({error})"))
    )]
    TooFew {
        /// As many as are needed at the least.
        least: usize,
        /// As many as there are.
        found: usize,
        /// What the system said when it was asked for one more.
        source: Option<io::Error>,
    },
    /// The threads do not take work.
    #[error("cannot start the threads that compute: {0}")]
    Pool(#[from] ThreadPoolBuildError),
}

/// Starts the threads that compute, and leaves room for `others` that the program starts later.
///
/// # Errors
/// If the system does not give a single one.
pub fn start(others: usize) -> Result<(), ThreadsError> {
    let wanted = wanted();
    let (mut waiting, source) = waiting(wanted + others);
    let count = waiting.len().saturating_sub(others).min(wanted);
    if count == 0 {
        return Err(ThreadsError::TooFew { least: others + 1, found: waiting.len(), source });
    }
    waiting.split_off(count).into_iter().for_each(Waiting::release);
    let start = |thread: ThreadBuilder| {
        let next = waiting.pop().ok_or_else(|| io::Error::other("no thread is left"))?;
        next.begin.send(thread).map_err(|_| io::Error::other("the thread is gone"))
    };
    let pool = ThreadPoolBuilder::new().num_threads(count).spawn_handler(start);
    Ok(pool.build_global()?)
}

/// How many threads compute.
pub fn running() -> usize {
    rayon::current_num_threads()
}

/// Does `work`, and `other` beside it on a thread of its own; leaves out `other` where the system gives no thread.
pub fn beside<T>(other: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        // `other` is but to spare time.
        let _ = Builder::new().stack_size(stack()).name("ahead".to_owned()).spawn_scoped(scope, other);
        work()
    })
}

/// Bytes of stack of a thread: as many as `RUST_MIN_STACK` says, but never so few that they would end the program.
pub fn stack() -> usize {
    let asked = std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(STACK).max(STACK)
}

/// The most threads that a variable may ask for.
pub fn most() -> usize {
    (MOST_A_PROCESSOR * processors()).max(MOST_ANYWHERE)
}

/// The number of threads in `text`, if it is too high.
pub fn too_many(text: &str) -> Option<usize> {
    // A number that does not even fit is no smaller.
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let asked = if is_number { text.parse().unwrap_or(usize::MAX) } else { 0 };
    (asked > most()).then_some(asked)
}

/// True if a variable says how many threads compute.
pub fn counts_threads(variable: &str) -> bool {
    variable.ends_with("_NUM_THREADS")
}

/// Such a thread takes its work as soon as there is some.
struct Waiting {
    begin: Sender<ThreadBuilder>,
    thread: JoinHandle<()>,
}

impl Waiting {
    fn start() -> io::Result<Self> {
        let (begin, work) = channel::<ThreadBuilder>();
        let run = move || {
            if let Ok(work) = work.recv() {
                work.run();
            }
        };
        Ok(Self { begin, thread: Builder::new().stack_size(stack()).name("compute".to_owned()).spawn(run)? })
    }

    /// Ends the thread without work.
    fn release(self) {
        drop(self.begin);
        // A thread that does nothing has nothing to say.
        let _ = self.thread.join();
    }
}

/// Up to `count` threads that wait for work, and why there are no more.
fn waiting(count: usize) -> (Vec<Waiting>, Option<io::Error>) {
    let mut threads = Vec::with_capacity(count);
    for _ in 0..count {
        match Waiting::start() {
            Ok(thread) => threads.push(thread),
            Err(error) => return (threads, Some(error)),
        }
    }
    (threads, None)
}

fn wanted() -> usize {
    let asked = std::env::var(THREADS).ok().unwrap_or_default();
    if too_many(&asked).is_some() {
        return most();
    }
    asked.parse().ok().filter(|asked| *asked > 0).unwrap_or_else(processors)
}

fn processors() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_without_threads_is_told_with_what_it_said() {
        let too_few = |source| ThreadsError::TooFew { least: 3, found: 1, source }.to_string();
        let begin = "expected to start at least 3 threads, found that the system gives 1";
        assert!(too_few(None).starts_with(&format!("{begin}; raise the limit of processes (`ulimit -u`")));
        assert!(too_few(Some(io::Error::other("no"))).starts_with(&format!("{begin} (no); raise")));
    }

    #[test]
    fn a_number_beyond_what_the_processors_give_is_too_high() {
        assert!(most() >= MOST_ANYWHERE && most() >= 4 * processors());
        assert_eq!([&most().to_string(), "4", "", "none", "-1", "4,3"].map(too_many), [None; 6]);
        assert_eq!(too_many("100000"), Some(100_000));
        assert_eq!(too_many("99999999999999999999999"), Some(usize::MAX));
    }
}
