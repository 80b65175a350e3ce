//! `mteb-host`: evaluates text-embedding models.

// These macros panic where a stream is closed or full; `output` alone writes.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod commands;
mod exit;
mod output;
mod report;
mod signals;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::Cli::parse().run().into()
}
