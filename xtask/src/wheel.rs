//! The wheel of the Python package: the host, its default plugins, and torch-encoder where it is built.

use std::process::{Command, ExitCode};

use crate::build::release;
use crate::command::{exit_code, root, status, target_folder};
use crate::python::environment;

/// Builds the host and the default plugins in release mode and puts them into a wheel in `target/wheel`.
pub fn wheel() -> Result<ExitCode, String> {
    release()?;
    let mut command = Command::new(environment()?);
    command.arg(root().join("xtask/python/wheel.py")).arg(target_folder().join("release"));
    command.arg(target_folder().join("wheel")).arg(env!("CARGO_PKG_VERSION"));
    Ok(exit_code(status(&mut command)?))
}
