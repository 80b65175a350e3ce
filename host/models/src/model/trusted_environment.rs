//! Virtual environments that the user has trusted: a `.venv` in the current folder may come from
//! anybody.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_files::hex;
use mteb_workers::plugins::Trust;
use sha2::{Digest, Sha256};

/// Trusts the environment that `named` names, a folder or its interpreter, as it is now.
///
/// # Errors
/// One line: there is none, or that cannot be recorded.
pub fn trust_environment(named: &Path, trust: &mut Trust) -> Result<(), String> {
    let folder = if named.is_dir() { Some(named) } else { named.parent().and_then(Path::parent) };
    let folder = folder.filter(|folder| interpreter_of(folder).is_file()).ok_or_else(|| {
        format!("expected a virtual environment with `bin/python`, found none: {}", named.display())
    })?;
    let (folder, state) = identify(folder)?;
    trust.add_environment(&folder, &state)
}

/// Checks that the user has let the interpreter of the environment in `folder` run, and that it is still the same.
///
/// # Errors
/// One line that says what to do.
pub fn check_trusted(folder: &Path, trust: &Trust) -> Result<(), String> {
    let (real, state) = identify(folder)?;
    let interpreter = interpreter_of(folder);
    let (interpreter, folder) = (interpreter.display(), folder.display());
    let found = match trust.environment(&real) {
        Some(known) if known == state => return Ok(()),
        Some(_) => "one that has changed",
        None => "one that came with this folder or a parent folder",
    };
    Err(format!(
        "{interpreter}: expected a Python interpreter that you trust, found {found}; if you trust it, add \
         `--trust-python {folder}` once, or name another with `--python`"
    ))
}

/// The interpreter of the environment in `folder`.
pub fn interpreter_of(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Where the environment in `folder` is without links, and what its interpreter is: where that leads, its content where that lies in the
/// environment, and the configuration.
fn identify(folder: &Path) -> Result<(PathBuf, String), String> {
    let cannot = |error: std::io::Error| format!("{}: cannot read it: {error}", folder.display());
    let real = folder.canonicalize().map_err(cannot)?;
    let interpreter = interpreter_of(&real).canonicalize().map_err(cannot)?;
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(interpreter.as_os_str().as_encoded_bytes());
    if interpreter.starts_with(&real) {
        add(&fs::read(&interpreter).map_err(cannot)?);
    }
    match mteb_files::read_to_string(&real.join("pyvenv.cfg"), mteb_files::TEXT) {
        Ok(text) => add(text.as_bytes()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(cannot(error)),
    }
    Ok((real, hex(&hash.finalize())))
}
