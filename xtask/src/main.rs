//! `cargo xtask`: the developer commands of mteb-host.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::run(std::env::args().skip(1)).unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
