//! Finds the files of a model: in a local folder, in a folder laid out like a hub, or on the hub.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_data::DataError;
use mteb_hub::{Hub, Report, Repository, model_files};

use super::SourceError;
use crate::settings::Settings;

/// The branch that a model's name stands for.
const BRANCH: &str = "main";

/// Folders below that of a model that are looked through.
const DEPTH: usize = 3;

/// The files of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFolder {
    /// Where they lie.
    pub path: PathBuf,
    /// The commit they are of, if it is known.
    pub revision: Option<String>,
}

/// The files of the model `name` at `revision`, or at the newest one; `None` if it names no folder and cannot be the
/// name of a repository. A folder is taken as it is.
///
/// # Errors
/// If the hub does not give the files.
pub fn model_folder(
    settings: &Settings,
    name: &str,
    revision: Option<&str>,
    report: &dyn Report,
) -> Result<Option<ModelFolder>, SourceError> {
    let named = PathBuf::from(name);
    if named.is_dir() {
        check(&named, DEPTH)?;
        return Ok(Some(ModelFolder { path: named, revision: None }));
    }
    if let Some(root) = &settings.hub_dir {
        return Ok(mirrored(&root.join("models").join(name), revision));
    }
    if !is_repository_name(name) {
        return Ok(None);
    }
    let hub = Hub::new(settings.hub_access());
    let repository = Repository::model(name, revision.unwrap_or(BRANCH));
    let fetch = || {
        let files = model_files(&hub.files(&repository)?);
        hub.fetch(&repository, &files, report)
    };
    let path = match fetch() {
        Err(error) if error.contradicts_list() && hub.doubts_list(&repository) => fetch(),
        fetched => fetched,
    }?;
    let revision = path.file_name().map(|commit| commit.to_string_lossy().into_owned());
    Ok(Some(ModelFolder { path, revision }))
}

/// Refuses a folder with pipes or devices, for which a plugin would wait.
fn check(folder: &Path, depth: usize) -> Result<(), SourceError> {
    let fault = |path: &Path, source| DataError::Io { path: path.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(|source| fault(folder, source))?.flatten() {
        let path = entry.path();
        let kind = path.metadata();
        if kind.as_ref().is_ok_and(fs::Metadata::is_dir) {
            if depth > 0 {
                check(&path, depth - 1)?;
            }
        } else if kind.is_ok() {
            mteb_files::check(&path).map_err(|source| fault(&path, source))?;
        }
    }
    Ok(())
}

/// A mirrored repository at `revision`, else at the only revision that is there.
fn mirrored(repository: &Path, revision: Option<&str>) -> Option<ModelFolder> {
    if let Some(path) = revision.map(|revision| repository.join(revision)).filter(|path| path.is_dir()) {
        return Some(ModelFolder { path, revision: revision.map(str::to_owned) });
    }
    let revisions: Vec<PathBuf> = std::fs::read_dir(repository)
        .map(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
        .unwrap_or_default();
    let [path] = revisions.as_slice() else { return None };
    let revision = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Some(ModelFolder { path: path.clone(), revision })
}

/// True for `organisation/name`.
pub fn is_repository_name(name: &str) -> bool {
    let is_word = |word: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !word.is_empty() && !word.starts_with('.') && word.bytes().all(allowed)
    };
    name.split_once('/').is_some_and(|(owner, name)| is_word(owner) && is_word(name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_model_folder_with_something_to_wait_for_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("1_Pooling")).unwrap();
        fs::write(folder.path().join("config.json"), "{}").unwrap();
        check(folder.path(), DEPTH).unwrap();
        let _socket = UnixListener::bind(folder.path().join("1_Pooling/config.json")).unwrap();
        let error = check(folder.path(), DEPTH).unwrap_err().to_string();
        assert!(error.ends_with("1_Pooling/config.json: expected a regular file, found a socket"), "{error}");
    }
}
