//! `mteb-host`: evaluates text-embedding models.

// These macros panic where a stream is closed or full; `output` alone writes.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bundled;
mod commands;
mod exit;
mod limits;
mod output;
mod signals;
mod trace;
mod view;

use std::process::ExitCode;

use bundled::PLUGINS;
use exit::Exit;
use mteb_workers::plugins::bundle;
use output::failed;

fn main() -> ExitCode {
    signals::survive_full_files();
    bundle(&PLUGINS);
    let exit = match mteb_workers::work_if_asked() {
        None => output::end(limits::check().map_or_else(failed, |()| command())),
        Some(Ok(())) => Exit::Done,
        Some(Err(error)) => failed(error),
    };
    exit.into()
}

fn command() -> Exit {
    signals::end_where_memory_is_refused();
    mteb_system::process::keep_files_from_programs();
    trace::start();
    commands::Cli::read().map_or_else(|exit| exit, commands::Cli::run)
}
