//! `mteb-host results`: checks results that are submitted, and writes what the public results repository takes.

mod export;
mod field;
mod files;
mod findings;
mod items;
mod rerun;
mod verify;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Arguments of `results`.
#[derive(Args, Debug)]
pub struct ResultsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check submitted results: their format and identity, their scores against experiments,
    /// outcomes and data, and against other models.
    Verify(Box<verify::VerifyArgs>),
    /// Write results in the layout of the public results repository.
    Export(Box<export::ExportArgs>),
}

impl ResultsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.what {
            What::Verify(args) => args.run(),
            What::Export(args) => args.run(),
        }
    }
}
