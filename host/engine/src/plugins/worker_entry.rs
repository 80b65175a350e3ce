//! The begin of a worker: what a program does that was started as one.

use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;

use super::confine::confine;
use super::serve::serve;

/// What a worker is started with, as [`super::Worker`] says it on the command line.
#[derive(Clone, Debug)]
pub struct WorkerStart {
    /// The plugin's file.
    pub plugin: PathBuf,
    /// SHA-256 that the file must have.
    pub checksum: String,
    /// Folder in which the plugin may write.
    pub temporary: Option<PathBuf>,
    /// Most bytes of memory of its own.
    pub memory_limit: Option<u64>,
    /// Descriptor of the shared memory.
    pub memory: RawFd,
    /// Process number of the host.
    pub host: i32,
}

/// Runs one plugin for the host, confined, until the host is gone. Takes over the standard streams of the process.
///
/// # Errors
/// If the host is gone already, or the streams to it break.
pub fn work(start: WorkerStart) -> io::Result<()> {
    end_with_host(start.host)?;
    let confined = confine(start.temporary.as_deref(), start.memory_limit);
    serve(start.plugin, start.checksum, start.memory, confined)
}

/// Makes the system kill this process when the host dies.
///
/// # Errors
/// If the host is dead already.
pub fn end_with_host(host: i32) -> io::Result<()> {
    let signal = Some(rustix::process::Signal::KILL);
    // A system without this still ends the worker at the end of its input.
    let _ = rustix::process::set_parent_process_death_signal(signal);
    if rustix::process::getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == host) {
        return Ok(());
    }
    Err(io::Error::other("the host is gone"))
}
