//! Everything that a machine without cargo and without a network needs for a check, in one file.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::ground::{HOST, PLUGIN, binaries, golden};
use super::options::Options;
use xtask_start::command::status;

/// Bytes of the largest file that may travel.
const LARGEST: u64 = 64 << 20;
/// Folder in the file.
const NAME: &str = "gpu-check";
/// This program.
const PROGRAM: &str = "mteb-bench";

/// Packs host, plugin, this program and the tiny models into `gpu-check.tar.gz`, and says how to run it.
///
/// # Errors
/// If something is absent, or the file becomes too large.
pub fn pack(options: &Options) -> Result<(), String> {
    let (binaries, folder) = (binaries(options, &[HOST, PLUGIN])?, options.out.join(NAME));
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(fault)?;
    let own = std::env::current_exe().map_err(fault)?;
    let plugin = options.plugin.clone().unwrap_or_else(|| binaries.join(PLUGIN));
    for (source, name) in [(own, PROGRAM), (binaries.join(HOST), HOST), (plugin, PLUGIN)] {
        fs::copy(&source, folder.join(name)).map_err(|error| format!("{}: {error}", source.display()))?;
        // What only debuggers read stays behind; a system without `strip` packs it, too.
        let _ = Command::new("strip").arg("--strip-debug").arg(folder.join(name)).status();
    }
    copy_all(&golden(options)?, &folder.join("golden")).map_err(fault)?;
    let file = options.out.join(format!("{NAME}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(&file).arg("-C").arg(&options.out).arg(NAME);
    if !status(&mut tar)?.success() {
        return Err(format!("{} could not be written", file.display()));
    }
    let size = fs::metadata(&file).map_err(fault)?.len();
    let _ = fs::remove_dir_all(&folder);
    if size > LARGEST {
        return Err(format!("{}: expected at most {LARGEST} bytes, found {size}", file.display()));
    }
    println!(
        "packed {} ({:.1} MB); on a machine with PyTorch, transformers and sentence-transformers:",
        file.display(),
        size as f64 / 1e6
    );
    println!("tar -xzf {NAME}.tar.gz -C /tmp && /tmp/{NAME}/{PROGRAM} gpu-check --out /tmp/{NAME}-answer");
    Ok(())
}

/// Copies a folder of models and texts; scripts stay.
///
/// # Errors
/// If a file cannot be read or written.
pub fn copy_all(source: &Path, target: &Path) -> std::io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let target = target.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else if entry.path().extension().is_none_or(|extension| extension != "py") {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
