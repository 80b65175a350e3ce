//! The data that lies beside the project for its developers, and for nobody else.

use std::path::PathBuf;

use crate::root;
use crate::skipped::absent;

/// The folder with real datasets and the reference's results.
///
/// `None`, after a line that says so, where it is absent; a failure where it is absent and `CI` is `true`.
#[track_caller]
pub fn shared() -> Option<PathBuf> {
    let folder = root().join("../shared");
    if folder.join("golden").is_dir() {
        return Some(folder);
    }
    absent(format!("no {}", folder.display()));
    None
}
