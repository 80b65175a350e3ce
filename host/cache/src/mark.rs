//! The marks by which files of the cache are known as ours: whatever its name, a file without one is never removed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use mteb_data::mapped;

use super::segment_head;

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
