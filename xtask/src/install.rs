//! Installs the host for the user, with the default plugins.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::build::{LIBRARIES, release};
use crate::command::{run_cargo, status, target_folder};

/// Installs the binary with cargo, copies the plugins into the user data folder and records that they are trusted.
pub fn install() -> Result<ExitCode, String> {
    release()?;
    run_cargo(&["install", "--locked", "--path", "host/cli"])?;
    let folder = plugin_folder()?;
    let cannot = |error: std::io::Error| format!("cannot write to {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(cannot)?;
    for library in LIBRARIES {
        let name = format!("lib{library}.so");
        fs::copy(target_folder().join("release").join(&name), folder.join(&name)).map_err(cannot)?;
    }
    // The user installs them, so the user trusts them; the host keeps the list.
    let mut lock = Command::new(target_folder().join("release/mteb-host"));
    lock.args(["plugins", "lock", "--plugin-dir"]).arg(&folder);
    if !status(&mut lock)?.success() {
        return Err(format!("the plugins in {} could not be locked", folder.display()));
    }
    println!("plugins are in {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Where an installed host looks for plugins; the same rule as in the host's settings.
fn plugin_folder() -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = variable("MTEB_HOST_DATA")
        .or_else(|| {
            let folder = variable("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
            folder.map(|folder| folder.join("mteb-host"))
        })
        .or_else(|| std::env::home_dir().map(|home| home.join(".local/share/mteb-host")));
    data.map(|folder| folder.join("plugins")).ok_or_else(|| "there is no home folder".to_owned())
}
