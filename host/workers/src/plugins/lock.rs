//! `plugins.lock`: the checksums of the plugins of a folder, so that a changed file is not run; and
//! why the lock lets a plugin not pass, or cannot be used.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Name of the lock file; it lies in the folder whose plugins it locks.
pub const LOCK_FILE: &str = "plugins.lock";

/// The checksums of the plugins of one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Version of this form; always 1.
    pub schema: u32,
    /// File name = SHA-256 of the file.
    #[serde(default)]
    pub plugins: BTreeMap<String, String>,
}

impl Lock {
    /// The lock of `folder`, or `None` if it has none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of(folder: &Path) -> Result<Option<Self>, LockError> {
        let path = folder.join(LOCK_FILE);
        match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(LockError::Unreadable { path, source }),
            Ok(text) => match toml::from_str(&text) {
                Ok(lock) => Ok(Some(lock)),
                Err(source) => Err(LockError::Form { path, source: Box::new(source) }),
            },
        }
    }

    /// Checks that `file` of the folder has the locked `checksum`.
    ///
    /// # Errors
    /// If the file is not locked or has changed.
    pub fn check(&self, file: &Path, checksum: &str) -> Result<(), LockError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match self.plugins.get(name.as_ref()) {
            Some(locked) if locked == checksum => Ok(()),
            Some(locked) => Err(LockError::Changed {
                plugin: file.to_owned(),
                locked: locked.clone(),
                found: checksum.to_owned(),
            }),
            None => Err(LockError::Unlisted(file.to_owned())),
        }
    }

    /// Checks that the lock of `folder` may be written: that there is one of this form, or none.
    ///
    /// # Errors
    /// If something else is there.
    pub fn check_place(folder: &Path) -> Result<(), LockError> {
        let path = folder.join(LOCK_FILE);
        if let Err(source) = mteb_files::check_place(&path) {
            return Err(LockError::OtherFile { path, source });
        }
        match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(LockError::OtherFile { path, source }),
            Ok(text) => match toml::from_str::<Self>(&text) {
                Ok(Self { schema: 1, .. }) => Ok(()),
                Ok(Self { schema, .. }) => Err(LockError::OtherSchema { path, schema }),
                Err(source) => Err(LockError::OtherForm { path, source: Box::new(source) }),
            },
        }
    }

    /// Writes the lock of `folder`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        mteb_files::write(&folder.join(LOCK_FILE), text.as_bytes())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_or_unknown_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut lock = Lock { schema: 1, plugins: BTreeMap::new() };
        lock.plugins.insert("libp.so".to_owned(), "aa".to_owned());
        lock.write(folder.path()).unwrap();
        let lock = Lock::of(folder.path()).unwrap().unwrap();
        let refused =
            |file: &str, checksum: &str| lock.check(Path::new(file), checksum).unwrap_err().to_string();
        lock.check(Path::new("x/libp.so"), "aa").unwrap();
        let remedy = "run `mteb-host plugins lock --plugin-dir x`";
        assert_eq!(
            refused("x/libp.so", "bb"),
            format!(
                "x/libp.so: expected the locked SHA-256 aa, found bb; if you trust the new file, {remedy}"
            )
        );
        assert_eq!(
            refused("x/libq.so", "aa"),
            format!(
                "x/libq.so: expected an entry in plugins.lock, found none; if you trust the file, {remedy}"
            )
        );
    }

    #[test]
    fn a_file_of_another_form_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK_FILE);
        Lock::check_place(folder.path()).unwrap();
        std::fs::write(&path, "schema = 2").unwrap();
        let refused = Lock::check_place(folder.path()).unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("{}: expected a lock file, found another: schema 2; move it away", path.display())
        );
        std::fs::write(&path, "[other]").unwrap();
        assert!(matches!(Lock::check_place(folder.path()), Err(LockError::OtherForm { .. })));
        let refused = Lock::of(folder.path()).unwrap_err().to_string();
        let remedy = format!("`mteb-host plugins lock --plugin-dir {}`", folder.path().display());
        assert!(refused.contains("is not a lock file: ") && refused.ends_with(&remedy), "{refused}");
    }
}
