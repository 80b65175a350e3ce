//! The data that lies beside the project for its developers, and for nobody else.

use std::path::PathBuf;

use crate::root;

/// The folder with real datasets and the reference's results.
///
/// `None`, after a line that says so, where it is absent; a failure where it is absent and `CI` is `true`.
pub fn shared() -> Option<PathBuf> {
    let folder = root().join("../shared");
    if folder.join("golden").is_dir() {
        return Some(folder);
    }
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "{} is needed in CI", folder.display());
    eprintln!("skipped: {} is absent", folder.display());
    None
}
