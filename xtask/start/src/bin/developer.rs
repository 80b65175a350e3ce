//! `cargo xtask`: builds the developer commands with the features of the whole workspace, then runs them.

use std::process::ExitCode;

use xtask_start::build::developer;
use xtask_start::lint;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = if lint::is_compiler() { lint::compile(&arguments) } else { developer(arguments) };
    done.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
