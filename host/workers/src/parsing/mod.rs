//! Data files are parsed in a separate process with a limit of memory and of time: a file that asks for
//! more costs its unit, not the host.
//!
//! The libraries that read Parquet, unpack, or parse JSON take memory before anyone can look at what they take. Small
//! uncompressed text, of which is proven what it can become ([`mteb_data::is_bounded`]), is parsed in the host itself. For
//! everything else a worker (`mteb-host parser`) is started when it is first needed and kept. It opens one file at a time
//! and hands over its rows piece by piece, in the form of kept rows ([`mteb_data::mapped`]), through a memory file that
//! is sealed before the host looks into it. What a file may cost is in [`Budget`].

mod client;
pub mod message;
mod parser;
mod piece;
mod serve;

pub use parser::{PARSER, host_of};

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use mteb_base::threads;
use mteb_data::{DataError, OpenRows, ReadRows, Wanted, is_bounded, open_rows};
use mteb_system::confine::without_network;

use crate::plugins::{Purpose, confine};
use client::{Budget, WorkerRows};
use parser::Idle;

/// Parses data files for the host whose process number is `host`, confined, until the host has ended. Takes over the standard
/// streams of the process.
///
/// # Errors
/// If the host is gone already, or the streams to it break.
pub fn work(host: u32) -> io::Result<()> {
    mteb_system::parent::end_with(host)?;
    // What is given up holds for this thread and those that are started from here on.
    confine(None, None, Purpose::Parser, host);
    // A kernel that does not offer this leaves the network open to a process that never asks for it.
    let _ = without_network();
    threads::start(0).map_err(io::Error::other)?;
    serve::serve()
}

/// Opens data files: those that may cost more than they look are parsed in a worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerParser(Arc<Idle>);

impl OpenRows for WorkerParser {
    fn open(&self, path: &Path, wanted: &Wanted) -> Result<Box<dyn ReadRows>, DataError> {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        match found {
            Some(found) if !is_bounded(path, found.len()) => {
                Ok(Box::new(WorkerRows::open(&self.0, path, wanted, Budget::of(found.len()))?))
            }
            // What is not there or no file is said by the reader.
            _ => open_rows(path, wanted),
        }
    }
}
