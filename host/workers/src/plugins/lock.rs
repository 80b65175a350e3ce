//! `plugins.lock`: the checksums of the plugins of a folder, so that a changed file is not run.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

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
    /// One line if the file cannot be read.
    pub fn of(folder: &Path) -> Result<Option<Self>, String> {
        let path = folder.join(LOCK_FILE);
        match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
            Ok(text) => match toml::from_str(&text) {
                Ok(lock) => Ok(Some(lock)),
                Err(error) => Err(format!(
                    "{} is not a lock file: {}; move it away, then write one with {}",
                    path.display(),
                    error.message(),
                    remedy(folder)
                )),
            },
        }
    }

    /// Checks that `file` of the folder has the locked `checksum`.
    ///
    /// # Errors
    /// One line if the file is not locked or has changed.
    pub fn check(&self, file: &Path, checksum: &str) -> Result<(), String> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let remedy = remedy(file.parent().unwrap_or(Path::new(".")));
        match self.plugins.get(name.as_ref()) {
            Some(locked) if locked == checksum => Ok(()),
            Some(locked) => Err(format!(
                "{}: expected the locked SHA-256 {locked}, found {checksum}; if you trust the new file, run {remedy}",
                file.display()
            )),
            None => Err(format!(
                "{}: expected an entry in {LOCK_FILE}, found none; if you trust the file, run {remedy}",
                file.display()
            )),
        }
    }

    /// Checks that the lock of `folder` may be written: that there is one of this form, or none.
    ///
    /// # Errors
    /// One line: what is there.
    pub fn check_place(folder: &Path) -> Result<(), String> {
        let path = folder.join(LOCK_FILE);
        let another = |why: &str| {
            format!("{}: expected a lock file, found another: {why}; move it away", path.display())
        };
        mteb_files::check_place(&path).map_err(|error| another(&error.to_string()))?;
        match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(another(&error.to_string())),
            Ok(text) => match toml::from_str::<Self>(&text) {
                Ok(Self { schema: 1, .. }) => Ok(()),
                Ok(Self { schema, .. }) => Err(another(&format!("schema {schema}"))),
                Err(error) => Err(another(error.message())),
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

/// What trusts the plugins of `folder` as they are now.
fn remedy(folder: &Path) -> String {
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
        assert_eq!(lock.check(Path::new("x/libp.so"), "aa"), Ok(()));
        assert!(
            lock.check(Path::new("x/libp.so"), "bb").unwrap_err().contains("expected the locked SHA-256 aa")
        );
        assert!(lock.check(Path::new("x/libq.so"), "aa").unwrap_err().contains("found none"));
    }
}
