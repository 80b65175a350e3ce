//! A copy of a plugin's file in memory that nobody can change: what was hashed is what is loaded.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use mteb_system::memory_file;

use super::library_file::LARGEST;

/// The copy; it lives as long as this does.
#[derive(Debug)]
pub struct SealedCopy {
    file: File,
    checksum: String,
}

impl SealedCopy {
    /// Copies the file at `path`, seals the copy, then hashes it.
    ///
    /// # Errors
    /// If the file cannot be read, or the system has no memory files.
    pub fn of(path: &Path) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The system takes names of up to 249 bytes.
        let name = name.chars().take(60).collect::<String>();
        let mut file = memory_file::create(&name)?;
        // The host has looked at the size; what grew since is cut, and has another hash.
        io::copy(&mut mteb_files::open(path)?.take(LARGEST), &mut file)?;
        memory_file::seal(&file)?;
        file.rewind()?;
        let checksum = mteb_files::sha256(&file)?;
        Ok(Self { file, checksum })
    }

    /// SHA-256 of the copy, in hex digits.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// Where the system's loader finds the copy.
    ///
    /// # Errors
    /// If the system has no such place.
    pub fn path(&self) -> io::Result<PathBuf> {
        memory_file::path_of(&self.file)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;

    #[test]
    fn the_copy_stays_what_it_was_whatever_becomes_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lib.so");
        fs::write(&file, "one").unwrap();
        let copy = SealedCopy::of(&file).unwrap();
        fs::write(&file, "two").unwrap();
        assert_eq!(fs::read(copy.path().unwrap()).unwrap(), b"one");
        let mut opened = OpenOptions::new().write(true).open(copy.path().unwrap()).unwrap();
        assert!(opened.write_all(b"x").is_err(), "nobody can write to it");
        let one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
        assert_eq!(copy.checksum(), one);
    }
}
