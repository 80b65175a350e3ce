//! The hash of a file's content, remembered while the system says that the file is untouched.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use mteb_base::calendar;
use serde::{Deserialize, Serialize};

use super::shared::Shared;
use crate::files::is_hash;
use crate::folder;

/// Folder of the stamps in that of the tables.
pub const STAMPS: &str = "stamps";

/// A file that changed so short a time ago may change again without a new time.
const YOUNG: Duration = Duration::from_secs(2);

/// What the system says of a file; it differs after any change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// The same of the last change of content or owner, which no program can set.
    changed: (i64, i64),
}

#[derive(Debug, Serialize, Deserialize)]
struct Remembered {
    /// The data file.
    path: PathBuf,
    stamp: Stamp,
    /// Hash of its content: BLAKE3, or SHA-256 where the name says so.
    content: String,
}

impl Stamp {
    /// What the system says now.
    pub fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// False if the file may change without another stamp.
    pub fn is_sure(&self) -> bool {
        let before = calendar::now().checked_sub(YOUNG).and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let seconds = self.modified.0.max(self.changed.0);
        before.is_some_and(|before| i64::try_from(before.as_secs()).is_ok_and(|before| seconds < before))
    }
}

/// The stamp and the content's hash of the open `file` at `path`.
///
/// # Errors
/// If the file cannot be read, or changes meanwhile.
pub(super) fn content(shared: &Shared, path: &Path, file: &File) -> io::Result<(Stamp, String)> {
    let stamp = Stamp::of(&file.metadata()?);
    let path = path.canonicalize()?;
    let name = file_name(&path, "json");
    let folder = shared.root.join(STAMPS);
    if let Some(content) = recall(&folder.join(&name), &path, &stamp) {
        return Ok((stamp, content));
    }
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut io::BufReader::with_capacity(1 << 18, file), &mut hasher)?;
    if Stamp::of(&file.metadata()?) != stamp {
        return Err(io::Error::other("the file changes while it is read"));
    }
    let content = hasher.finalize().to_hex().to_string();
    if stamp.is_sure() && shared.writes() {
        let written = keep(&folder, &name, &path, &stamp, &content);
        written.unwrap_or_else(|error| shared.give_up_writing(&error));
    }
    Ok((stamp, content))
}

/// Name of what is remembered of the file at `path`.
pub fn file_name(path: &Path, ending: &str) -> String {
    format!("{}.{ending}", blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex())
}

/// The hash that is remembered in `file` of the content of `path`, if that is untouched.
pub fn recall(file: &Path, path: &Path, stamp: &Stamp) -> Option<String> {
    let known = read_remembered(file)?;
    (known.path == path && known.stamp == *stamp).then_some(known.content)
}

/// Remembers the hash of the content of `path` in the file `name` of `folder`.
///
/// # Errors
/// If it cannot be written.
pub fn keep(folder: &Path, name: &str, path: &Path, stamp: &Stamp, content: &str) -> io::Result<()> {
    let known = Remembered { path: path.to_owned(), stamp: stamp.clone(), content: content.to_owned() };
    fs::create_dir_all(folder)?;
    write(folder, name, &known)
}

/// True if `file` has the form of a stamp.
pub fn is_one(file: &Path) -> bool {
    read_remembered(file).is_some()
}

/// Removes the stamps below `root` of files that are gone or changed. What is none stays.
pub fn remove_stale(root: &Path) {
    for path in stamps(root) {
        let holds =
            |known: Remembered| fs::metadata(&known.path).is_ok_and(|found| Stamp::of(&found) == known.stamp);
        if read_remembered(&path).is_some_and(|known| !holds(known)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The files of stamps below `root`.
pub fn stamps(root: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(root.join(STAMPS)).into_iter().flatten().flatten().map(|entry| entry.path());
    paths
        .filter(|path| (is_hash(path, 64, "json") || is_hash(path, 64, "sha256")) && folder::is_file(path))
        .collect()
}

/// A file of two lines: JSON and its hash.
fn read_remembered(file: &Path) -> Option<Remembered> {
    let text = mteb_files::read_to_string(file, mteb_files::TEXT).ok()?;
    let (json, hash) = text.trim_end().split_once('\n')?;
    let is_whole = *blake3::hash(json.as_bytes()).to_hex() == *hash;
    is_whole.then(|| serde_json::from_str(json).ok())?
}

fn write(folder: &Path, name: &str, known: &Remembered) -> io::Result<()> {
    let json = serde_json::to_string(known)?;
    let hash = blake3::hash(json.as_bytes()).to_hex();
    let mut file = folder::locked_file(folder)?;
    io::Write::write_all(&mut file, format!("{json}\n{hash}\n").as_bytes())?;
    mteb_files::persist(file, &folder.join(name), folder::SHARED)
}
