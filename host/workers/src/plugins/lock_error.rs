//! Why the lock of a plugin folder lets a plugin not pass, or cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// A plugin that is not the locked one, or a lock that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The lock cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The lock.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What is there is no lock.
    #[error(
        "{} is not a lock file: {}; move it away, then write one with {}",
        .path.display(), .source.message(), remedy(.path)
    )]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<toml::de::Error>,
    },
    /// The plugin is not the one that was locked.
    #[error(
        "{}: expected the locked SHA-256 {locked}, found {found}; if you trust the new file, run {}",
        .plugin.display(), remedy(.plugin)
    )]
    Changed {
        /// The plugin's file.
        plugin: PathBuf,
        /// SHA-256 in the lock.
        locked: String,
        /// SHA-256 of the file.
        found: String,
    },
    /// The plugin is not in the lock of its folder.
    #[error(
        "{}: expected an entry in plugins.lock, found none; if you trust the file, run {}", .0.display(), remedy(.0)
    )]
    Unlisted(PathBuf),
    /// Something that is none, or cannot be read, is where a lock is to be written.
    #[error("{}: expected a lock file, found another: {source}; move it away", .path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// What is there.
        source: io::Error,
    },
    /// A file of another form is there.
    #[error("{}: expected a lock file, found another: {}; move it away", .path.display(), .source.message())]
    OtherForm {
        /// The file.
        path: PathBuf,
        /// In what its form differs.
        source: Box<toml::de::Error>,
    },
    /// A lock of another version is there.
    #[error("{}: expected a lock file, found another: schema {schema}; move it away", .path.display())]
    OtherSchema {
        /// The lock.
        path: PathBuf,
        /// Version of its form.
        schema: u32,
    },
}

/// What trusts the plugins that lie beside `file` as they are now.
fn remedy(file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new("."));
    format!("`mteb-host plugins lock --plugin-dir {}`", folder.display())
}
