//! Builds and installs the host, of which the default plugins are a part, and builds and runs the programs
//! of its developers.

use std::process::{Command, ExitCode};

use crate::command::{cargo, exit_code, root, run_cargo, status, succeed, target_folder};
use crate::lint::lint_builds;

/// The package of the host, with the default plugins in it.
pub const HOST: &str = "mteb-host";

/// Package of the plugin that links libtorch.
pub const TORCH: &str = "mteb-plugin-torch";

/// Everything, with the features of all of it.
pub const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

/// Everything but the plugin that links libtorch, with the features of all of it: what is built for one part of the checks serves
/// the others.
pub const WITHOUT_TORCH: [&str; 4] = ["--workspace", "--exclude", TORCH, "--all-features"];

/// How the program that is published is built: small, in a profile of its own that takes long to build, with features that README's
/// command builds without, because few users need them.
pub const PUBLISHED: [&str; 4] = ["--profile", PUBLISHED_PROFILE, "--features", "s3"];

/// That profile, and the folder of cargo with what is built in it.
pub const PUBLISHED_PROFILE: &str = "dist";

/// Builds the developer commands and runs them with `args`. Before all checks, they are linted while they are built, as everything is then.
///
/// # Errors
/// If cargo fails, or they cannot be started.
pub fn developer(args: Vec<String>) -> Result<ExitCode, String> {
    let mut build = cargo();
    build.args([&["build", "--quiet"], &WITHOUT_TORCH[..], &["--bin", "xtask"]].concat());
    let mut developer = Command::new(target_folder().join("debug").join("xtask"));
    developer.args(&args);
    if args == ["test"] {
        lint_builds(&mut build)?;
        lint_builds(&mut developer)?;
    }
    succeed(&mut build)?;
    Ok(exit_code(status(&mut developer)?))
}

/// Builds the program of the benchmarks and runs its command `name` with `args`.
///
/// # Errors
/// If cargo fails, or the program cannot be started.
pub fn bench(name: &str, args: &[String]) -> Result<ExitCode, String> {
    run_cargo(&[&["build", "--quiet"], &WITHOUT_TORCH[..], &["--bin", "mteb-bench"]].concat())?;
    let mut command = Command::new(target_folder().join("debug").join("mteb-bench"));
    Ok(exit_code(status(command.arg(name).args(args))?))
}

/// Installs the host with cargo for the user.
///
/// # Errors
/// If cargo fails.
pub fn install() -> Result<ExitCode, String> {
    run_cargo(&["install", "--locked", "--path", "host/cli"])?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the host in release mode.
///
/// # Errors
/// If cargo fails.
pub fn release() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", HOST])?;
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
