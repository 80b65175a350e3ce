//! `cargo xtask`: builds the developer commands with the features of the whole workspace, then runs them.

use std::process::ExitCode;

use xtask_start::build::developer;

fn main() -> ExitCode {
    developer(std::env::args().skip(1).collect()).unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
