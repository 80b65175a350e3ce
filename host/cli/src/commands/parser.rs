//! `mteb-host parser`: the process in which data files are parsed. The host starts it; people do not.

use clap::Args;
use mteb_engine::parsing::work;

use crate::exit::Exit;
use crate::output;

/// Arguments of `parser`.
#[derive(Args, Debug)]
pub struct ParserArgs {
    /// Process number of the host.
    #[arg(long)]
    host: i32,
}

impl ParserArgs {
    /// Serves the host until it is gone.
    pub fn run(self) -> Exit {
        match work(self.host) {
            Ok(()) => Exit::Done,
            Err(error) => {
                output::error(format!("parser: {error}"));
                Exit::Failed
            }
        }
    }
}
