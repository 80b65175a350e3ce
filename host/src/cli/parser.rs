//! `mteb-host parser`: the process in which data files are parsed. The host starts it; people do not.

use clap::Args;

use super::worker::end_with_host;
use crate::exit::Exit;
use crate::output;
use crate::parsing::serve;
use crate::plugins::confine;

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
        if !end_with_host(self.host) {
            return Exit::Failed;
        }
        confine(None, None);
        match serve() {
            Ok(()) => Exit::Done,
            Err(error) => {
                output::error(format!("parser: {error}"));
                Exit::Failed
            }
        }
    }
}
