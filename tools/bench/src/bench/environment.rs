//! What a benchmark takes from its environment.

use std::path::PathBuf;

use xtask_start::command::root;

/// A variable of the environment that is not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The datasets of the reference's tasks, laid out like the hub.
pub fn hub_folder() -> PathBuf {
    variable("MTEB_HUB_DIR").unwrap_or_else(|| root().join("../shared/hub"))
}

/// The largest size that is tried, if `MTEB_LARGEST` bounds it.
///
/// # Errors
/// If it is no number.
pub fn largest() -> Result<Option<usize>, String> {
    let Some(given) = variable("MTEB_LARGEST") else { return Ok(None) };
    let given = given.to_string_lossy();
    given.parse().map(Some).map_err(|_| format!("MTEB_LARGEST: expected a number, found {given}"))
}
