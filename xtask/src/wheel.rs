//! The wheel of the Python package: the host, its default plugins, and torch-encoder.

use std::process::{Command, ExitCode};

use crate::build::release;
use crate::command::{exit_code, root, status, target_folder};
use crate::python::environment;
use crate::torch;

/// Builds the host, the default plugins and torch-encoder in release mode and puts them into a wheel in `target/wheel`;
/// `--without-torch` leaves torch-encoder out.
pub fn wheel(arguments: &[String]) -> Result<ExitCode, String> {
    let with_torch = match arguments {
        [] => true,
        [argument] if argument == "--without-torch" => false,
        _ => return Err("usage: cargo xtask wheel [--without-torch]".to_owned()),
    };
    release()?;
    let built = target_folder().join("release");
    let mut command = Command::new(environment()?);
    command.arg(root().join("xtask/python/wheel.py")).arg(&built);
    command.arg(target_folder().join("wheel")).arg(env!("CARGO_PKG_VERSION"));
    if with_torch {
        torch::build()?;
        command.arg(built.join("libmteb_plugin_torch.so"));
    }
    Ok(exit_code(status(&mut command)?))
}
