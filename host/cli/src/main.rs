//! `mteb-host`: evaluates text-embedding models.

// These macros panic where a stream is closed or full; `output` alone writes.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod commands;
mod exit;
mod output;
mod system;
mod trace;
mod view;

use std::process::ExitCode;

use exit::Exit;
use mteb_plugin_api::bundled;
use mteb_plugin_api::v1::Bundled;
use mteb_workers::plugins::bundle;
use output::failed;

/// The plugins that are part of the program: the default models and the Indonesian pack.
static PLUGINS: [Bundled; 5] = [
    bundled!(mteb_plugin_api_models),
    bundled!(mteb_plugin_hashing),
    bundled!(mteb_plugin_indonesia),
    bundled!(mteb_plugin_python),
    bundled!(mteb_plugin_random),
];

fn main() -> ExitCode {
    system::survive_full_files();
    bundle(&PLUGINS);
    let exit = match mteb_workers::work_if_asked() {
        None => output::end(system::check_limits().map_or_else(failed, |()| command())),
        Some(Ok(())) => Exit::Done,
        Some(Err(error)) => failed(error),
    };
    exit.into()
}

fn command() -> Exit {
    system::end_where_memory_is_refused();
    mteb_system::process::keep_files_from_programs();
    trace::start();
    commands::Cli::read().map_or_else(|exit| exit, commands::Cli::run)
}
