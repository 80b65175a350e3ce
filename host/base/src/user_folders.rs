//! The folders of a user: for what is kept, and for what can be made again.

use std::path::PathBuf;

/// `$MTEB_HOST_DATA`, else `mteb-host` in the user's data folder; `plugins` and `registries` lie in it.
pub fn data_dir() -> PathBuf {
    own_folder("MTEB_HOST_DATA", "XDG_DATA_HOME", ".local/share")
}

/// `$MTEB_HOST_CACHE`, else `mteb-host` in the user's cache folder.
pub fn cache_dir() -> PathBuf {
    own_folder("MTEB_HOST_CACHE", "XDG_CACHE_HOME", ".cache")
}

fn own_folder(own_variable: &str, variable: &str, below_home: &str) -> PathBuf {
    match std::env::var_os(own_variable) {
        Some(folder) if !folder.is_empty() => folder.into(),
        _ => user_folder(variable, below_home).join("mteb-host"),
    }
}

/// The XDG Base Directory Specification has relative paths ignored.
fn user_folder(variable: &str, below_home: &str) -> PathBuf {
    match std::env::var_os(variable).map(PathBuf::from) {
        Some(folder) if folder.is_absolute() => folder,
        _ => std::env::home_dir().unwrap_or_default().join(below_home),
    }
}
