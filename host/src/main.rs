//! `mteb-host`: evaluates text-embedding models.

// These macros panic where a stream is closed or full; `output` alone writes.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod atomic_file;
mod byte_size;
mod cache;
mod calendar;
mod cli;
mod encode;
mod exit;
mod interrupt;
mod leftover;
mod output;
mod parsing;
mod plugins;
mod quality;
mod registry;
mod report;
mod results;
mod run;
mod settings;
mod source;
mod stats;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    cli::Cli::parse().run().into()
}
