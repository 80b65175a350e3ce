//! Builds the host and the default plugins.

use std::process::{Command, ExitCode};

use crate::command::{exit_code, root, run_cargo, status, target_folder};

/// Packages of the host and of the plugins that need nothing but cargo.
pub const PACKAGES: [&str; 6] = [
    "mteb-host",
    "mteb-plugin-api-models",
    "mteb-plugin-hashing",
    "mteb-plugin-indonesia",
    "mteb-plugin-python",
    "mteb-plugin-random",
];

/// Libraries of the default plugins, without prefix and suffix.
pub const LIBRARIES: [&str; 5] = [
    "mteb_plugin_api_models",
    "mteb_plugin_hashing",
    "mteb_plugin_indonesia",
    "mteb_plugin_python",
    "mteb_plugin_random",
];

/// Package of the plugin that links libtorch.
pub const TORCH: &str = "mteb-plugin-torch";

/// Everything but the plugin that links libtorch, with the features of all of it: what is built for one part of the checks serves
/// the others.
pub const WITHOUT_TORCH: [&str; 4] = ["--workspace", "--exclude", TORCH, "--all-features"];

/// Builds the developer commands and runs them with `args`.
///
/// # Errors
/// If cargo fails, or they cannot be started.
pub fn developer(args: Vec<String>) -> Result<ExitCode, String> {
    run_cargo(&[&["build", "--quiet"], &WITHOUT_TORCH[..], &["--bin", "xtask"]].concat())?;
    let mut command = Command::new(target_folder().join("debug").join("xtask"));
    Ok(exit_code(status(command.args(args))?))
}

/// Builds everything in release mode.
///
/// # Errors
/// If cargo fails.
pub fn release() -> Result<ExitCode, String> {
    let mut args = vec!["build", "--release"];
    for package in PACKAGES {
        args.extend(["--package", package]);
    }
    run_cargo(&args)?;
    Ok(ExitCode::SUCCESS)
}

/// Builds, then runs the host with `args` in the folder of the caller.
///
/// # Errors
/// If cargo fails, or the host cannot be started.
pub fn host(args: Vec<String>) -> Result<ExitCode, String> {
    release()?;
    let mut command = Command::new(target_folder().join("release").join("mteb-host"));
    command.args(args);
    if let Some(folder) = std::env::var_os("PWD") {
        command.current_dir(folder);
    } else {
        command.current_dir(root());
    }
    Ok(exit_code(status(&mut command)?))
}
