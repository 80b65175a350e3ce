//! What the cache holds, over all models: for `mteb-host cache`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use serde_json::Value;

use super::folder::{self, MODEL_FILE};
use super::identity::{self, folder_name};
use super::segment::Segment;
use super::segment_head::{SegmentError, SegmentHead};
use crate::files;
use crate::folder::{model_folders, stored_segments};

/// The rows of one model.
#[derive(Clone, Debug)]
pub struct Cached {
    /// Folder of the rows.
    pub folder: PathBuf,
    /// Identity of the model; null if nothing says it.
    pub model: Value,
    /// Segment files.
    pub segments: usize,
    /// Bytes of the segment files.
    pub bytes: u64,
    /// When a row was last read or written.
    pub last_used: Option<SystemTime>,
}

/// What a check of every row has found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Segments that are as they were written.
    pub sound: usize,
    /// Rows in them.
    pub rows: usize,
    /// Damaged segments, which were removed, and why.
    pub damaged: Vec<(PathBuf, String)>,
    /// Segments that could not be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// The models with rows below `root`.
pub fn info(root: &Path) -> Vec<Cached> {
    model_folders(root).into_iter().map(describe_model).filter(|cached| cached.segments > 0).collect()
}

/// Removes all rows of all models, and nothing else that lies there; gives the number of bytes.
///
/// # Errors
/// If something cannot be removed.
pub fn clear(root: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for folder in model_folders(root) {
        folder::remove_leftovers(&folder);
        for segment in
            stored_segments(&folder)?.into_iter().filter(|segment| files::is_segment(&segment.path))
        {
            folder::remove_file(&segment.path)?;
            bytes += segment.bytes;
        }
        let model = folder.join(MODEL_FILE);
        if folder::is_file(&model) && describes(&model, &folder) {
            folder::remove_file(model)?;
        }
        folder::remove_if_empty(&folder);
    }
    folder::remove_if_empty(root);
    Ok(bytes)
}

/// Reads every row below `root` and removes the segments that are damaged, and what killed runs have left.
pub fn verify(root: &Path) -> Verified {
    let mut verified = Verified::default();
    for model in model_folders(root) {
        folder::remove_leftovers(&model);
        for path in folder::segments(&model).unwrap_or_default() {
            match check(&path, &model) {
                Ok(rows) => {
                    verified.sound += 1;
                    verified.rows += rows;
                }
                Err(SegmentError::Io(error)) => verified.unreadable.push((path, error.to_string())),
                Err(_) if !files::is_segment(&path) => {
                    verified.unreadable.push((path, files::MISSING.to_owned()))
                }
                Err(error) => {
                    let _ = fs::remove_file(&path);
                    verified.damaged.push((path, error.to_string()));
                }
            }
        }
    }
    verified
}

fn describe_model(folder: PathBuf) -> Cached {
    let model = description(&folder.join(MODEL_FILE));
    let stored = stored_segments(&folder).unwrap_or_default();
    Cached {
        segments: stored.len(),
        bytes: stored.iter().map(|segment| segment.bytes).sum(),
        last_used: stored.iter().map(|segment| segment.used).max(),
        folder,
        model,
    }
}

/// What a file says of a model; null if it says nothing.
fn description(file: &Path) -> Value {
    let text = mteb_files::read(file, mteb_files::TEXT).ok();
    text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// True if `file` describes the model after which `folder` is called.
fn describes(file: &Path, folder: &Path) -> bool {
    let name = folder_name(&identity::hash(&description(file)));
    folder.file_name().is_some_and(|found| *found == *name)
}

/// Reads every block of a segment; gives the number of rows.
pub(super) fn check(path: &Path, model: &Path) -> Result<usize, SegmentError> {
    let file = mteb_files::open(path)?;
    let head = SegmentHead::read(&mut io::BufReader::new(&file), file.metadata()?.len())?;
    let of_folder = folder_name(&head.identity);
    if model.file_name().is_some_and(|name| *name != *of_folder) {
        return Err(super::segment_head::damaged("rows of this folder's model".to_owned(), of_folder));
    }
    Segment::new(path.to_owned(), head).0.check(&file)
}
