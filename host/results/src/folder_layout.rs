//! The names of folders and files in a folder of results: `<model>/<revision>/<Task>.json`, and
//! what lies beside these. What lies in the place of a file of ours and is none is moved away, and
//! never lost.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

pub use mteb_items::outcomes::OUTCOMES;

/// File that says whose results the folder holds.
pub const META: &str = "model_meta.json";

/// Folder of the results of models without a revision, as the reference calls it.
pub const NO_REVISION: &str = "no_revision_available";

/// Folder, below that of a revision, with a folder for each experiment: the results of the model
/// with options of the user's.
pub const EXPERIMENTS: &str = "experiments";

/// Folder of files some of whose content was replaced, and of what lay in the place of others.
pub const SUPERSEDED: &str = "superseded";

/// Folder of the ranked documents of each unit, as run files.
pub const RANKINGS: &str = "rankings";

/// Folder of the same as the reference keeps them, a file for each task.
pub const PREDICTIONS: &str = "predictions";

/// Moves what is at `path` in the folder of results `results` to the same place below
/// `superseded/`, named by the time of its last change; gives where it is now. Links, pipes and
/// folders are moved as they are.
///
/// # Errors
/// If it cannot be moved.
pub fn set_aside(results: &Path, path: &Path) -> io::Result<PathBuf> {
    let kept = place_aside(results, path)?;
    fs::rename(path, &kept)?;
    Ok(kept)
}

/// Copies the file at `path` to where [`set_aside`] would move it; gives where the copy is.
///
/// # Errors
/// If it cannot be copied.
pub fn copy_aside(results: &Path, path: &Path) -> io::Result<PathBuf> {
    let kept = place_aside(results, path)?;
    mteb_files::write(&kept, &mteb_files::read(path, u64::MAX)?)?;
    Ok(kept)
}

fn place_aside(results: &Path, path: &Path) -> io::Result<PathBuf> {
    let changed = path.symlink_metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let below = path.strip_prefix(results).unwrap_or(path).parent().unwrap_or(Path::new(""));
    let folder = results.join(SUPERSEDED).join(below);
    fs::create_dir_all(&folder)?;
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    let mut places = (changed.as_millis()..).map(|time| folder.join(format!("{stem}-{time}.{ending}")));
    let is_free = |place: &PathBuf| place.symlink_metadata().is_err();
    Ok(places.find(is_free).unwrap_or_default())
}

/// Moves what is at `path` away unless it `is_ours` or nothing is there; gives a line that says so.
///
/// # Errors
/// If it cannot be moved.
pub fn spare(
    results: &Path,
    path: &Path,
    what: &str,
    is_ours: impl FnOnce(&Path) -> bool,
) -> io::Result<Option<String>> {
    if path.symlink_metadata().is_err() || is_ours(path) {
        return Ok(None);
    }
    let kept = set_aside(results, path)?;
    Ok(Some(format!(
        "{}: expected {what}, found something else; it is kept as {}",
        path.display(),
        kept.display()
    )))
}
