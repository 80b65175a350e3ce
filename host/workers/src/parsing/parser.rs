//! A worker that parses: the same binary as `mteb-host parser`, without an environment; and those
//! that wait for the next file.

use std::ffi::OsString;
use std::num::NonZero;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::{fmt, io};

use mteb_base::threads::THREADS;

use crate::plugins::{Answering, start_process};

/// The first argument of a worker that parses.
pub const PARSER: &str = "parser";

/// Before the process number of the host.
const HOST: &str = "--host";

/// Threads of a worker, the number of which is the only variable that it is given, unless the user says otherwise: the stack
/// of each counts as its memory.
const MOST_THREADS: usize = 16;

/// The process number of the host, as the `arguments` of a worker that parses, without the first one, say it.
pub fn host_of(arguments: &[OsString]) -> Option<u32> {
    match arguments {
        [name, host] if name == HOST => host.to_str()?.parse().ok(),
        _ => None,
    }
}

/// A worker that parses.
pub struct Parser {
    /// The process.
    pub process: Answering,
    /// True if it has read a file before.
    pub is_used: bool,
}

impl Parser {
    /// Starts a worker that has read nothing yet.
    ///
    /// # Errors
    /// If the system gives no process.
    pub fn start() -> io::Result<Self> {
        let mut command = Command::new(mteb_system::process::image()?);
        command.arg(PARSER).arg(HOST).arg(std::process::id().to_string()).env_clear();
        let most = || available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS).to_string().into();
        command.env(THREADS, std::env::var_os(THREADS).unwrap_or_else(most));
        Ok(Self { process: Answering::start(command, start_process)?, is_used: false })
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Parser({})", self.process.id())
    }
}

/// Workers that are kept for the next file: of a run, one of the reader and one of the scorer.
const KEPT: usize = 2;

/// The workers without a file.
#[derive(Debug, Default)]
pub struct Idle(Mutex<Vec<Parser>>);

impl Idle {
    /// A worker that waits, if there is one.
    pub fn take(&self) -> Option<Parser> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps a worker for the next file, if not enough are kept.
    pub fn put(&self, parser: Parser) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(parser);
        }
    }
}
