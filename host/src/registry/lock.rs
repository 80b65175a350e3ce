//! `<registry>.lock.toml`: size and checksum of every data file that a registry's tasks read.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::source::{RegistrySource, embedded_text};

/// The locked files of a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistryLock {
    /// Version of this form; always 1.
    pub schema: u32,
    /// The files, sorted by dataset, revision and path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LockedFile>,
}

/// One data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedFile {
    /// Dataset on the hub, or the card's `path`.
    pub dataset: String,
    /// Revision of the dataset; `1` for data that names none.
    pub revision: String,
    /// Path of the file in the dataset.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hex digits.
    pub sha256: String,
}

impl RegistryLock {
    /// The lock of `registry`, or `None` if it has none.
    ///
    /// # Errors
    /// One line if the file cannot be read.
    pub fn of(registry: &RegistrySource) -> Result<Option<Self>, String> {
        let name = lock_name(registry);
        let text = match registry {
            RegistrySource::Embedded(_) => match embedded_text(&name) {
                Some(text) => text.to_owned(),
                None => return Ok(None),
            },
            RegistrySource::File(_) => match mteb_files::read_to_string(Path::new(&name), mteb_files::TEXT) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(format!("{name}: cannot read the lock: {error}")),
                Ok(text) => text,
            },
        };
        let fault = |why: &str| {
            format!("{name}: expected a lock file, found another: {why}; write it again with `--update-lock`")
        };
        let lock: Self = toml::from_str(&text).map_err(|error| fault(error.message()))?;
        if lock.schema == 1 { Ok(Some(lock)) } else { Err(fault(&format!("schema {}", lock.schema))) }
    }

    /// The entry of a file.
    pub fn file(&self, dataset: &str, revision: &str, path: &str) -> Option<&LockedFile> {
        let index = self.files.binary_search_by_key(&(dataset, revision, path), LockedFile::key).ok()?;
        self.files.get(index)
    }

    /// Takes in a file; true if it was not there, or was there with another checksum.
    pub fn insert(&mut self, file: LockedFile) -> bool {
        match self.files.binary_search_by(|found| found.key().cmp(&file.key())) {
            Ok(index) if self.files[index] == file => false,
            Ok(index) => {
                self.files[index] = file;
                true
            }
            Err(index) => {
                self.files.insert(index, file);
                true
            }
        }
    }

    /// Writes the lock of `registry`.
    ///
    /// # Errors
    /// One line if the file cannot be written, or the registry is part of the binary.
    pub fn write(&self, registry: &RegistrySource) -> Result<(), String> {
        let name = lock_name(registry);
        if let RegistrySource::Embedded(registry) = registry {
            return Err(format!(
                "registries/{registry}: expected a registry in a file, found one that is part of the binary; \
                 name the file with `--registry FILE` to update its lock"
            ));
        }
        let head = "# Checksums of the data files. Written by `mteb-host run --update-lock`.\n";
        let write = |text: String| crate::atomic_file::write(Path::new(&name), text.as_bytes());
        let text = toml::to_string(self).map_err(io::Error::other);
        text.and_then(|text| write(format!("{head}{text}")))
            .map_err(|error| format!("{name}: cannot write the lock: {error}"))
    }
}

impl LockedFile {
    fn key(&self) -> (&str, &str, &str) {
        (&self.dataset, &self.revision, &self.path)
    }
}

/// True if `path` is the name of a lock, which is no registry.
pub fn is_lock(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".lock.toml")
}

/// Name of the lock of `registry`: a path, or a name within the binary.
pub fn lock_name(registry: &RegistrySource) -> String {
    let path = match registry {
        RegistrySource::Embedded(name) => PathBuf::from(name),
        RegistrySource::File(path) => path.clone(),
    };
    path.with_extension("lock.toml").display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, sha256: &str) -> LockedFile {
        LockedFile {
            dataset: "a/b".to_owned(),
            revision: "1".to_owned(),
            path: path.to_owned(),
            size: 3,
            sha256: sha256.to_owned(),
        }
    }

    #[test]
    fn a_lock_is_written_sorted_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let registry = RegistrySource::File(folder.path().join("mine.toml"));
        assert_eq!(RegistryLock::of(&registry), Ok(None));
        let mut lock = RegistryLock { schema: 1, files: Vec::new() };
        assert!(lock.insert(file("test.csv", "aa")) && lock.insert(file("a.csv", "bb")));
        assert!(!lock.insert(file("test.csv", "aa")));
        assert!(lock.insert(file("test.csv", "cc")));
        lock.write(&registry).unwrap();
        let read = RegistryLock::of(&registry).unwrap().unwrap();
        assert_eq!(read.files, [file("a.csv", "bb"), file("test.csv", "cc")]);
        assert_eq!(read.file("a/b", "1", "test.csv").map(|file| file.sha256.as_str()), Some("cc"));
        assert_eq!(read.file("a/b", "2", "test.csv"), None);
        assert!(folder.path().join("mine.lock.toml").is_file());
    }
}
