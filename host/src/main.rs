//! `mteb-host`: evaluates text-embedding models.

mod atomic_file;
mod byte_size;
mod cache;
mod calendar;
mod cli;
mod encode;
mod exit;
mod identity;
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
