//! Finds the files of a model: in a local folder, in a folder laid out like a hub, or on the hub.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mteb_data::DataError;
use mteb_hub::{Hub, HubError, Report, Repository, code_files, model_files};
use mteb_workers::settings::Settings;
use serde_json::Value;

use super::SourceError;

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
/// name of a repository. A folder is taken as it is. Of the hub come the files of its code and of the code elsewhere that its
/// configuration names only `with_code`.
///
/// # Errors
/// If the hub does not give the files.
pub fn model_folder(
    settings: &Settings,
    name: &str,
    revision: Option<&str>,
    with_code: bool,
    report: &dyn Report,
) -> Result<Option<ModelFolder>, SourceError> {
    let named = PathBuf::from(name);
    if named.is_dir() {
        check(&named, DEPTH)?;
        return Ok(Some(ModelFolder { path: named, revision: None }));
    }
    if let Some(root) = &settings.hub_dir {
        return Ok(find_mirrored(&root.join("models").join(name), revision));
    }
    if !is_repository_name(name) {
        return Ok(None);
    }
    let hub = Hub::new(settings.hub_access());
    let repository = Repository::model(name, revision.unwrap_or(BRANCH));
    let fetch = || {
        let files = model_files(&hub.files(&repository)?, with_code);
        hub.fetch(&repository, &files, report)
    };
    let path = match fetch() {
        Err(error) if error.contradicts_list() && hub.doubts_list(&repository) => fetch(),
        fetched => fetched,
    }?;
    if with_code {
        fetch_code_elsewhere(&hub, &path, report)?;
    }
    let revision = path.file_name().map(|commit| commit.to_string_lossy().into_owned());
    Ok(Some(ModelFolder { path, revision }))
}

/// Brings code of other repositories that the configuration in `folder` names into the cache, where Python looks for it.
fn fetch_code_elsewhere(hub: &Hub, folder: &Path, report: &dyn Report) -> Result<(), HubError> {
    for name in repositories_of_code(folder) {
        let repository = Repository::model(&name, BRANCH);
        hub.fetch(&repository, &code_files(&hub.files(&repository)?), report)?;
    }
    Ok(())
}

/// The repositories that `auto_map` names as `REPOSITORY--MODULE.CLASS`.
fn repositories_of_code(folder: &Path) -> BTreeSet<String> {
    let config = mteb_files::read(&folder.join("config.json"), mteb_files::TEXT).ok();
    let config = config.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let classes = config.as_ref().and_then(|config| config.get("auto_map")?.as_object());
    let repository = |class: &str| class.split_once("--").map(|(repository, _)| repository.to_owned());
    let named = classes.into_iter().flatten().filter_map(|(_, class)| repository(class.as_str()?));
    named.filter(|name| is_repository_name(name)).collect()
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
fn find_mirrored(repository: &Path, revision: Option<&str>) -> Option<ModelFolder> {
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
    fn code_elsewhere_is_named_by_the_configuration() {
        let folder = tempfile::tempdir().unwrap();
        assert!(repositories_of_code(folder.path()).is_empty());
        let config = r#"{"auto_map": {"AutoConfig": "lab/code--configuration.Own", "AutoModel": "lab/code--modeling.Own",
                         "AutoTokenizer": ["tokenization.Own", null], "AutoProcessor": "../up--a.B"}}"#;
        fs::write(folder.path().join("config.json"), config).unwrap();
        assert_eq!(repositories_of_code(folder.path()).into_iter().collect::<Vec<_>>(), ["lab/code"]);
    }

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
