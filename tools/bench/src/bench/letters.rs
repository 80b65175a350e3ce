//! A model that counts letters: it costs next to nothing, and its embeddings are kept, unlike those of the hashing encoder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::sides::host_command;
use xtask_start::command::{run_cargo, status, target_folder};

/// The name that its plugin gives it.
pub const MODEL: &str = "changing";

/// Numbers of a row.
const DIMENSION: &str = "384";

const EXAMPLE: &str = "changing_model";

/// Builds the model, puts its plugin alone into `folder`, which is given back, and trusts it in the benchmarks' own list.
pub fn plugin(folder: &Path) -> Result<PathBuf, String> {
    run_cargo(&["build", "--release", "--package", "mteb-host-tests", "--example", EXAMPLE])?;
    let file = format!("lib{EXAMPLE}.so");
    let built = target_folder().join("release/examples").join(&file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(built, folder.join(file)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lock = host();
    lock.args(["plugins", "lock", "--plugin-dir"]).arg(folder);
    if status(&mut lock)?.success() { Ok(folder.to_owned()) } else { Err(format!("failed: {lock:?}")) }
}

/// The host that trusts it; what the user trusts, and has installed, stays out of the benchmark.
pub fn host() -> Command {
    let mut command = host_command();
    command.env("MTEB_HOST_DATA", target_folder().join("bench/data")).env("MTEB_PLUGIN_DIMENSION", DIMENSION);
    command
}
