//! Lists of files that were fetched once; what a commit holds never changes.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::cache::make_parent;
use crate::{HubError, RemoteFile, Repository};

/// The kept list of `repository` at `commit`, if there is one that can be read.
pub(crate) fn read(folder: &Path, repository: &Repository, commit: &str) -> Option<Vec<RemoteFile>> {
    let text = mteb_files::read_to_string(&path(folder, repository, commit), mteb_files::TEXT).ok()?;
    serde_json::from_str(&text).ok()
}

/// Keeps a list; the file appears whole or not at all.
pub(crate) fn write(
    folder: &Path,
    repository: &Repository,
    commit: &str,
    files: &[RemoteFile],
) -> Result<(), HubError> {
    let path = path(folder, repository, commit);
    make_parent(&path)?;
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
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

/// Refuses paths that lead out of the folder they are joined to.
pub(crate) fn check(repository: &Repository, file: &str) -> Result<(), HubError> {
    let inside = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    if inside && !file.is_empty() {
        return Ok(());
    }
    Err(HubError::UnsafePath { repository: Box::new(repository.clone()), file: file.to_owned() })
}

fn path(folder: &Path, repository: &Repository, commit: &str) -> PathBuf {
    folder.join(repository.named().folder_name()).join(format!("{commit}.json"))
}

fn collect(folder: &Path, below: &str, files: &mut Vec<RemoteFile>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        match fs::metadata(entry.path()) {
            Ok(found) if found.is_dir() => collect(&entry.path(), &path, files),
            Ok(found) => files.push(RemoteFile { path, size: found.len() }),
            // A link to a blob that is gone: the file is not there.
            Err(_) => {}
        }
    }
}
