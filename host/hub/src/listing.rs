//! Lists of files that a hub gave, kept apart by its address. What a commit holds never changes, but a list can have been
//! wrong, so it is a shortcut: whatever contradicts it has it asked for again.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_files::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::names::check_file;
use crate::place::{file_or_nothing, make_folders};
use crate::repository::AtCommit;
use crate::{HubError, RemoteFile};

/// Most bytes of a kept list.
const LONGEST_LIST: u64 = 1 << 30;

/// The folder of lists in this form.
const FORM: &str = "v2";

/// A list as it is kept.
#[derive(Deserialize, Serialize)]
struct Kept<F> {
    endpoint: String,
    files: F,
}

/// The list that `endpoint` gave of a commit's files, if it is kept and can be read.
pub(crate) fn read(folder: &Path, endpoint: &str, at: &AtCommit) -> Option<Vec<RemoteFile>> {
    read_file(&path(folder, endpoint, at), at).filter(|kept| kept.endpoint == endpoint).map(|kept| kept.files)
}

/// The longest list that any hub gave of a commit's files: for a run that cannot ask, a file too many is an error, and one
/// that is missing would be a wrong score.
pub(crate) fn read_any(folder: &Path, at: &AtCommit) -> Option<Vec<RemoteFile>> {
    let hubs = fs::read_dir(folder.join(FORM)).into_iter().flatten().flatten();
    let lists = hubs.filter_map(|hub| read_file(&hub.path().join(below_hub(at)), at)).map(|kept| kept.files);
    lists.max_by_key(Vec::len)
}

/// Keeps a list; the file appears whole or not at all.
pub(crate) fn write(
    folder: &Path,
    endpoint: &str,
    at: &AtCommit,
    files: &[RemoteFile],
) -> Result<(), HubError> {
    let path = path(folder, endpoint, at);
    make_folders(folder, path.strip_prefix(folder).ok().and_then(Path::parent).unwrap_or(Path::new("")))?;
    file_or_nothing(&path)?;
    let written = serde_json::to_vec(&Kept { endpoint: endpoint.to_owned(), files })
        .map_err(std::io::Error::other)
        .and_then(|text| mteb_files::write(&path, &text));
    written.map_err(|source| HubError::Io { path, source })
}

/// Forgets a list.
pub(crate) fn forget(folder: &Path, endpoint: &str, at: &AtCommit) {
    // One that cannot be removed is asked for again in this run, and met again by the next.
    let _ = fs::remove_file(path(folder, endpoint, at));
}

/// The files below a snapshot folder, which may be only some of those of the repository.
pub(crate) fn on_disk(snapshot: &Path) -> Vec<RemoteFile> {
    let mut files = Vec::new();
    collect(snapshot, "", &mut files);
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}

fn read_file(path: &Path, at: &AtCommit) -> Option<Kept<Vec<RemoteFile>>> {
    let text = mteb_files::read_to_string(path, LONGEST_LIST).ok()?;
    let kept: Kept<Vec<RemoteFile>> = serde_json::from_str(&text).ok()?;
    let is_sound = kept.files.iter().all(|file| check_file(&at.repository, &file.path).is_ok());
    (is_sound && !kept.files.is_empty()).then_some(kept)
}

/// Addresses are no names of folders, so their hashes are.
fn path(folder: &Path, endpoint: &str, at: &AtCommit) -> PathBuf {
    let hash = Sha256::digest(endpoint.as_bytes());
    let hub = hex(&hash[..8]);
    folder.join(FORM).join(hub).join(below_hub(at))
}

fn below_hub(at: &AtCommit) -> PathBuf {
    Path::new(&at.repository.named().folder_name()).join(format!("{}.json", at.commit))
}

/// Folders are entered only where they are no links, so that the walk ends and stays inside.
fn collect(folder: &Path, below: &str, files: &mut Vec<RemoteFile>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type().is_ok_and(|found| found.is_dir()) {
            collect(&entry.path(), &path, files);
            continue;
        }
        // A link to a blob that is gone: the file is not there.
        let Ok(found) = fs::metadata(entry.path()) else { continue };
        if found.is_file() {
            files.push(RemoteFile { path, size: found.len(), hash: None });
        }
    }
}
