//! `cargo mteb-host`: builds the host and the default plugins, then runs the host.

use std::process::ExitCode;

use xtask_start::build::host;

fn main() -> ExitCode {
    host(std::env::args().skip(1).collect()).unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
