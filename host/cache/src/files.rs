//! Files of the cache. Those of ours have a hash for a name and a mark in them: whatever its name,
//! a file without a mark is never removed. Above the limit, files that were not used for the
//! longest time go first.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mteb_data::mapped;

use crate::segment_head;

/// What is said of a file that has the name of one of ours and no mark.
pub const MISSING: &str =
    "expected a file of this cache, found one without its mark, which is left unchanged; move it elsewhere";

/// True if the file at `path` begins as embeddings do.
pub fn is_segment(path: &Path) -> bool {
    matches!(at(path, |_| Some(0)), Ok(Some(found)) if found == segment_head::MAGIC)
}

/// True if the file at `path` ends as parsed rows do.
pub fn is_table(path: &Path) -> bool {
    let end = |length: u64| length.checked_sub(mapped::MAGIC.len() as u64);
    matches!(at(path, end), Ok(Some(found)) if found == mapped::MAGIC)
}

/// The eight bytes at the place that `place` makes of the length of the file.
fn at(path: &Path, place: impl Fn(u64) -> Option<u64>) -> io::Result<Option<[u8; 8]>> {
    let file: File = mteb_files::open(path)?;
    let Some(place) = place(file.metadata()?.len()) else { return Ok(None) };
    let mut found = [0; 8];
    file.read_exact_at(&mut found, place)?;
    Ok(Some(found))
}

/// True if `name` is `length` hexadecimal digits and then `.` and `ending`.
pub fn is_hash(name: &Path, length: usize, ending: &str) -> bool {
    let is_hex = |stem: &str| {
        stem.len() == length && stem.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let stem = name.file_stem().and_then(OsStr::to_str);
    stem.is_some_and(is_hex) && name.extension().unwrap_or_default() == ending
}

/// A file of a cache, ordered by the time of its last use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// When something of it was last used in a new run.
    pub used: SystemTime,
    /// Its length.
    pub bytes: u64,
    /// The file.
    pub path: PathBuf,
}

impl StoredFile {
    /// The file at `path`; `None` if another process removes it in this moment.
    pub fn at(path: PathBuf) -> Option<Self> {
        let found = fs::metadata(&path).ok()?;
        Some(Self { used: found.modified().ok()?, bytes: found.len(), path })
    }
}

/// Removes files of `stored` until those that stay and `needed` more bytes fit into `limit`. What cannot be removed is left to
/// another time, and what `is_ours` does not know is left for ever.
pub fn make_room(mut stored: Vec<StoredFile>, limit: u64, needed: u64, is_ours: fn(&Path) -> bool) {
    let mut total: u64 = stored.iter().map(|file| file.bytes).sum();
    stored.sort();
    for file in stored {
        if total.saturating_add(needed) <= limit {
            break;
        }
        if is_ours(&file.path) && fs::remove_file(&file.path).is_ok() {
            total -= file.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_told_from_a_name() {
        let is_hash = |name: &str| is_hash(Path::new(name), 4, "rows");
        assert!(is_hash("/x/0af9.rows"));
        assert!(!is_hash("mine.rows") && !is_hash("0af9.row") && !is_hash("0AF9.rows") && !is_hash("0af9"));
    }
}
