//! Virtual environments that the user has trusted: a `.venv` in the current folder may come from
//! anybody.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_files::hex;
use mteb_workers::plugins::Trust;
use sha2::{Digest, Sha256};

use super::python_error::EnvironmentError;

/// Trusts the environment that `named` names, a folder or its interpreter, as it is now.
///
/// # Errors
/// If there is none, or that cannot be recorded.
pub fn trust_environment(named: &Path, trust: &mut Trust) -> Result<(), EnvironmentError> {
    let folder = if named.is_dir() { Some(named) } else { named.parent().and_then(Path::parent) };
    let folder = folder.filter(|folder| interpreter_of(folder).is_file());
    let folder = folder.ok_or_else(|| EnvironmentError::Absent(named.to_owned()))?;
    let (folder, state) = identify(folder)?;
    Ok(trust.add_environment(&folder, &state)?)
}

/// Checks that the user has let the interpreter of the environment in `folder` run, and that it is still the same.
///
/// # Errors
/// If not, with what to do.
pub fn check_trusted(folder: &Path, trust: &Trust) -> Result<(), EnvironmentError> {
    let (real, state) = identify(folder)?;
    let found = match trust.environment(&real) {
        Some(known) if known == state => return Ok(()),
        Some(_) => "one that has changed",
        None => "one that came with this folder or a parent folder",
    };
    let (interpreter, folder) = (interpreter_of(folder), folder.to_owned());
    Err(EnvironmentError::Untrusted { interpreter, found, folder })
}

/// The interpreter of the environment in `folder`.
pub fn interpreter_of(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Where the environment in `folder` is without links, and what its interpreter is: where that leads, its content where that lies in the
/// environment, and the configuration.
fn identify(folder: &Path) -> Result<(PathBuf, String), EnvironmentError> {
    let cannot = |source| EnvironmentError::Unreadable { path: folder.to_owned(), source };
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
