//! Lists of files that were fetched once; what a commit holds never changes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::commit::AtCommit;
use crate::names::check_file;
use crate::place::{file_or_nothing, make_folders};
use crate::{HubError, RemoteFile};

/// Most bytes of a kept list.
const LONGEST_LIST: u64 = 1 << 30;

/// The kept list of a commit's files, if there is one that can be read.
pub(crate) fn read(folder: &Path, at: &AtCommit) -> Option<Vec<RemoteFile>> {
    let path = path(folder, at);
    let text = mteb_files::read_to_string(&path, LONGEST_LIST).ok()?;
    let files: Vec<RemoteFile> = serde_json::from_str(&text).ok()?;
    let is_sound = files.iter().all(|file| check_file(&at.repository, &file.path).is_ok());
    is_sound.then_some(files)
}

/// Keeps a list; the file appears whole or not at all.
pub(crate) fn write(folder: &Path, at: &AtCommit, files: &[RemoteFile]) -> Result<(), HubError> {
    let path = path(folder, at);
    make_folders(folder, Path::new(&at.repository.named().folder_name()))?;
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    file_or_nothing(&temporary)?;
    file_or_nothing(&path)?;
    let written = serde_json::to_vec(files)
        .map_err(std::io::Error::other)
        .and_then(|text| fs::write(&temporary, text))
        .and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|source| HubError::Io { path, source })
}

/// The files below a snapshot folder, which may be only some of those of the repository.
pub(crate) fn on_disk(snapshot: &Path) -> Vec<RemoteFile> {
    let mut files = Vec::new();
    collect(snapshot, "", &mut files);
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}

fn path(folder: &Path, at: &AtCommit) -> PathBuf {
    folder.join(at.repository.named().folder_name()).join(format!("{}.json", at.commit))
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
            files.push(RemoteFile { path, size: found.len() });
        }
    }
}
