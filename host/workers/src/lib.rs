//! Runs plugins and parsers of data files in processes of their own; the settings say where things are and what plugins may.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::ffi::OsString;
use std::io;

pub mod parsing;
pub mod plugins;
pub mod settings;

/// Does the work of a worker if this process was started as one: runs a plugin or parses data files until the host has ended.
/// `None` if it was not.
///
/// Every program that starts plugins calls this before anything else, as workers are started from the program that runs.
pub fn work_if_asked() -> Option<io::Result<()>> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (first, rest) = arguments.split_first()?;
    let (name, result) = if first == plugins::WORKER {
        (plugins::WORKER, plugins::work(plugins::WorkerStart::parse(rest)?))
    } else if first == parsing::PARSER {
        (parsing::PARSER, parsing::work(parsing::host_of(rest)?))
    } else {
        return None;
    };
    Some(result.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}"))))
}
