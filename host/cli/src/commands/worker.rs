//! `mteb-host worker`: the isolation process. The host starts it; people do not.

use std::os::fd::RawFd;
use std::path::PathBuf;

use clap::Args;
use mteb_engine::plugins::{WorkerStart, work};

use crate::exit::Exit;
use crate::output;

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
        let Self { plugin, checksum, temporary, memory_limit, memory, host } = self;
        match work(WorkerStart { plugin, checksum, temporary, memory_limit, memory, host }) {
            Ok(()) => Exit::Done,
            Err(error) => {
                output::error(format!("worker: {error}"));
                Exit::Failed
            }
        }
    }
}
