//! What a benchmark takes from its environment.

use std::path::PathBuf;

use crate::command::root;

/// A variable of the environment that is not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The datasets of the reference's tasks, laid out like the hub.
pub fn hub_folder() -> PathBuf {
    variable("MTEB_HUB_DIR").unwrap_or_else(|| root().join("../shared/hub"))
}
