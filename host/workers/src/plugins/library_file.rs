//! A plugin's file as it was read, once: whatever is decided about it is decided about these bytes,
//! and a copy of them in memory that nobody can change is what is loaded.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use elf::ElfBytes;
use elf::abi::{DT_RPATH, DT_RUNPATH};
use elf::endian::AnyEndian;
use mteb_files::hex;
use mteb_system::memory_file;
use sha2::{Digest, Sha256};

use super::worker_error::WorkerError;

/// Symbol by which a loader finds a plugin.
const HEADER: &str = "_1as_0lib_1header_0root_bmodule_bloader";

/// How libraries of macOS begin, in Mach-O: of one kind of processor, of several.
const MACH_O: [[u8; 4]; 2] = [[0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe]];

/// Bytes of the largest plugin.
pub const LARGEST: u64 = 2 << 30;

/// Bytes of room that are kept from one file to the next.
const KEPT: usize = 64 << 20;

/// What the loader replaces by the folder of the file.
const ORIGIN: [&str; 2] = ["$ORIGIN", "${ORIGIN}"];

/// What was read of a plugin's file.
#[derive(Clone, Debug)]
pub struct LibraryFile {
    /// Where it is, without links.
    pub path: PathBuf,
    /// SHA-256 of its content, in hex digits.
    pub checksum: String,
    /// What the system says of it.
    pub found: Metadata,
    /// Folders beside it in which it looks for libraries that it links.
    pub folders: Vec<PathBuf>,
    /// False for a library that is no plugin, and for what is no library.
    pub is_plugin: bool,
}

impl LibraryFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it is absent, no regular file, larger than 2 GiB, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, WorkerError> {
        Self::read_into(path, &mut Vec::new())
    }

    /// The same, with room for the bytes of the file that is used again for the next one.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_into(path: &Path, bytes: &mut Vec<u8>) -> Result<Self, WorkerError> {
        let plugin = path.to_owned();
        Self::try_read(path, bytes).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => WorkerError::Absent(plugin),
            io::ErrorKind::FileTooLarge => WorkerError::TooLarge { plugin, source },
            _ => WorkerError::Unreadable { plugin, source },
        })
    }

    fn try_read(path: &Path, bytes: &mut Vec<u8>) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let file = mteb_files::open(&path)?;
        let found = file.metadata()?;
        if found.len() > LARGEST {
            let message =
                format!("expected a plugin of at most {LARGEST} bytes, found {}; move it away", found.len());
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        bytes.clear();
        bytes.reserve(usize::try_from(found.len()).map_or(0, |length| length + 1));
        file.take(LARGEST).read_to_end(bytes)?;
        let checksum = hex(&Sha256::digest(&*bytes));
        let folder = path.parent().unwrap_or(Path::new("/"));
        let (folders, is_plugin) = (library_folders(bytes, folder), has_header(bytes));
        if bytes.capacity() > KEPT {
            *bytes = Vec::new();
        }
        Ok(Self { path, checksum, found, folders, is_plugin })
    }
}

fn has_header(bytes: &[u8]) -> bool {
    if bytes.first_chunk().is_some_and(|begin| MACH_O.contains(begin)) {
        // Symbols lie there by their names, each with its end.
        return bytes
            .windows(HEADER.len() + 1)
            .any(|found| found.strip_suffix(&[0]) == Some(HEADER.as_bytes()));
    }
    let names = || {
        let library = ElfBytes::<AnyEndian>::minimal_parse(bytes).ok()?;
        let (symbols, names) = library.dynamic_symbol_table().ok()??;
        Some(symbols.iter().any(|symbol| names.get(symbol.st_name as usize).is_ok_and(|name| name == HEADER)))
    };
    names().unwrap_or(false)
}

/// The folders of its run path that lie relative to `folder`, its own.
fn library_folders(bytes: &[u8], folder: &Path) -> Vec<PathBuf> {
    run_path(bytes).unwrap_or_default().iter().filter_map(|place| relative(place, folder)).collect()
}

fn relative(place: &str, folder: &Path) -> Option<PathBuf> {
    let rest = ORIGIN.iter().find_map(|origin| place.strip_prefix(origin))?;
    Some(folder.join(rest.trim_start_matches('/')))
}

fn run_path(bytes: &[u8]) -> Option<Vec<String>> {
    let library = ElfBytes::<AnyEndian>::minimal_parse(bytes).ok()?;
    let (_, names) = library.dynamic_symbol_table().ok()??;
    let entries = library.dynamic().ok()??;
    let paths = entries.iter().filter(|entry| matches!(entry.d_tag, DT_RPATH | DT_RUNPATH));
    let places = paths.filter_map(|entry| names.get(usize::try_from(entry.d_val()).ok()?).ok());
    Some(places.flat_map(|path| path.split(':')).map(str::to_owned).collect())
}

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
    fn a_file_that_is_absent_or_no_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("absent.so");
        let said = LibraryFile::read(&absent).unwrap_err().to_string();
        assert_eq!(said, format!("{}: expected a file, found none", absent.display()));
        assert!(LibraryFile::read(folder.path()).unwrap_err().to_string().contains("cannot read the file: "));
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large.so");
        std::fs::File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        let said = LibraryFile::read(&large).unwrap_err().to_string();
        let expected = "expected a plugin of at most 2147483648 bytes, found 2147483649; move it away";
        assert_eq!(said, format!("{}: {expected}", large.display()));
    }

    #[test]
    fn a_plugin_of_macos_is_known_by_the_name_of_its_symbol() {
        let library = |name: &str| {
            let begin: &[u8] = &[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1, 0];
            [begin, b"\0__", name.as_bytes(), b"\0_other\0"].concat()
        };
        assert!(has_header(&library(HEADER)));
        assert!(!has_header(&library(&HEADER[..HEADER.len() - 1])) && !has_header(&library("")));
        assert!(!has_header(HEADER.as_bytes()), "a text is no library");
    }

    #[test]
    fn a_folder_beside_the_file_is_found_and_another_is_the_loaders() {
        let folder = Path::new("/plugins");
        assert_eq!(relative("$ORIGIN/torch/lib", folder), Some("/plugins/torch/lib".into()));
        assert_eq!(relative("${ORIGIN}/../lib", folder), Some("/plugins/../lib".into()));
        assert_eq!(relative("/usr/lib", folder), None);
    }

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
