//! `mteb-host worker`: the isolation process. The host starts it; people do not.

use std::os::fd::RawFd;
use std::path::PathBuf;

use clap::Args;

use crate::exit::Exit;
use crate::output;
use crate::plugins::{confine, serve};

/// Arguments of `worker`.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// The plugin's file.
    #[arg(long)]
    plugin: PathBuf,
    /// SHA-256 that the file must have.
    #[arg(long)]
    checksum: String,
    /// Folder in which the plugin may write.
    #[arg(long)]
    temporary: Option<PathBuf>,
    /// Most bytes of memory of its own.
    #[arg(long)]
    memory_limit: Option<u64>,
    /// Descriptor of the shared memory.
    #[arg(long)]
    memory: RawFd,
    /// Process number of the host.
    #[arg(long)]
    host: i32,
}

impl WorkerArgs {
    /// Serves the host until it is gone.
    pub fn run(self) -> Exit {
        if !end_with_host(self.host) {
            return Exit::Failed;
        }
        let confined = confine(self.temporary.as_deref(), self.memory_limit);
        match serve(self.plugin, self.checksum, self.memory, confined) {
            Ok(()) => Exit::Done,
            Err(error) => {
                output::error(format!("worker: {error}"));
                Exit::Failed
            }
        }
    }
}

/// Makes the system kill this process when the host dies; false if the host is dead already.
pub fn end_with_host(host: i32) -> bool {
    let signal = Some(rustix::process::Signal::KILL);
    // A system without this still ends the worker at the end of its input.
    let _ = rustix::process::set_parent_process_death_signal(signal);
    rustix::process::getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == host)
}
