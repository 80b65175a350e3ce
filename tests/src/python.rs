//! The Python environment with the reference's packages, which `cargo xtask test` makes.

use std::path::PathBuf;

use crate::skipped::absent;

/// Its interpreter, as `MTEB_PYTHON` names it.
///
/// `None`, after a line that says so, where it is absent; a failure where it is absent and `CI` is `true`.
#[track_caller]
pub fn python() -> Option<PathBuf> {
    let named = std::env::var_os("MTEB_PYTHON").filter(|value| !value.is_empty());
    if named.is_none() {
        absent("`MTEB_PYTHON` names no interpreter with the packages of xtask/python/requirements.txt");
    }
    named.map(PathBuf::from)
}
