//! A model in a local folder: its name and its content. It is one model however the path of its
//! folder is spelt.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};

use mteb_plugin_api::{Identity, ModelInfo};
use mteb_results::identity::model_content;
use mteb_source::is_repository_name;

use super::python::{hub_name, kind_of};

/// What stands for an organisation in the name of a model that has none.
const ORGANISATION: &str = "local";

/// Letters of a README that are looked through.
const HEAD: usize = 1 << 16;

/// Digits of the hash of weights that were the revision of native models.
const FORMER_DIGITS: usize = 16;

/// The identity of a model in a folder of the user's own.
pub struct LocalModel {
    folder: PathBuf,
    /// As the user spelt it.
    asked: String,
    /// Name that the user gave.
    name: Option<String>,
    /// Revision that the user gave.
    revision: Option<String>,
    /// The hash of its content, which is taken while the model starts.
    content: Mutex<Content>,
    /// True if the plugin's own word for the name counts for less than the folder's.
    is_installed: bool,
}

/// The content of a folder could not be read, which whoever asks is told.
#[derive(Clone, Debug, thiserror::Error)]
#[error("expected files that can be read in {}, found: {why}", .folder.display())]
pub struct Unread {
    folder: PathBuf,
    why: String,
}

enum Content {
    Sought(Option<JoinHandle<io::Result<String>>>),
    Found(Result<String, Unread>),
}

impl LocalModel {
    /// The model in `folder` that the user asked for as `asked`; the hash of its content is taken from now on.
    pub fn new(
        asked: &str,
        folder: &Path,
        (name, revision): (Option<String>, Option<String>),
        is_installed: bool,
    ) -> Self {
        let path = folder.to_owned();
        let content = match &revision {
            Some(_) => Content::Sought(None),
            None => Content::Sought(Some(spawn(move || model_content::revision(&path)))),
        };
        let (asked, folder) = (hub_name(asked).to_owned(), folder.to_owned());
        Self { folder, asked, name, revision, content: Mutex::new(content), is_installed }
    }

    /// Makes this the identity of the model: the user's word, else the folder's name and content.
    ///
    /// # Errors
    /// If the content cannot be read.
    pub fn identify(&self, identity: &mut Identity) -> Result<(), Unread> {
        // What a plugin of others calls its models is theirs, unless it only gives back what it was told, or names the folder.
        let of_folder = format!("{ORGANISATION}/{}", last_name(&self.folder));
        let is_told = [&self.asked, &of_folder, ""].contains(&identity.name.as_str());
        let is_named = !self.is_installed && !is_told;
        match &self.name {
            Some(name) => identity.name.clone_from(name),
            None if is_named => {}
            None => identity.name = of_folder,
        }
        match &self.revision {
            Some(revision) => identity.revision.clone_from(revision),
            None if is_named && self.name.is_none() => {}
            None => identity.revision = self.content()?,
        }
        Ok(())
    }

    /// True if weights elsewhere, which nobody looks at, belong to the model: those that an adapter was trained on.
    pub fn needs_others(&self) -> bool {
        let has_adapter = |folder: &Path| folder.join("adapter_config.json").exists();
        let mut parts = self.folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        self.revision.is_none() && (has_adapter(&self.folder) || parts.any(|part| has_adapter(&part)))
    }

    fn content(&self) -> Result<String, Unread> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        if let Content::Sought(thread) = &mut *content {
            let found = match thread.take().map(JoinHandle::join) {
                Some(Ok(found)) => found,
                _ => model_content::revision(&self.folder),
            };
            let unread = |error: io::Error| Unread { folder: self.folder.clone(), why: error.to_string() };
            *content = Content::Found(found.map_err(unread));
        }
        match &*content {
            Content::Found(found) => found.clone(),
            Content::Sought(_) => {
                let why = "the folder's content was not read".to_owned();
                Err(Unread { folder: self.folder.clone(), why })
            }
        }
    }
}

/// The name of a folder, links followed; of a snapshot in the hub's cache that of its repository.
fn last_name(folder: &Path) -> String {
    let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let of_cache = path.parent().filter(|parent| name(parent).as_deref() == Some("snapshots"));
    let repository = of_cache.and_then(|snapshots| name(snapshots.parent()?));
    let repository = repository.as_deref().and_then(|name| name.strip_prefix("models--"));
    let of_repository = repository.and_then(|name| Some(name.rsplit_once("--")?.1.to_owned()));
    of_repository.or_else(|| name(&path)).unwrap_or_else(|| "model".to_owned())
}

/// The name `organisation/model` that the front matter of the README in `folder` gives the model, or that the hub's cache has for it.
pub fn proposal(folder: &Path) -> Option<String> {
    let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let of_cache = path
        .iter()
        .filter_map(|part| part.to_str()?.strip_prefix("models--"))
        .map(|name| name.replacen("--", "/", 1))
        .next_back();
    let readme = folder.join("README.md");
    let text = mteb_files::check(&readme).and_then(|()| fs::read(&readme)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text[..text.len().min(HEAD)]).into_owned();
    of_cache.or_else(|| of_front_matter(&text)).filter(|name| is_repository_name(name))
}

/// The value of `model_name`, `model_id` or the first `name` below `model-index`. Never `base_model`, which is another model.
fn of_front_matter(text: &str) -> Option<String> {
    let head = text.strip_prefix("---")?.split("\n---").next()?;
    let mut is_index = false;
    let mut values = head.lines().filter_map(|line| {
        let key = line.trim_start_matches([' ', '-']);
        if line.starts_with(char::is_alphabetic) {
            is_index = line.starts_with("model-index:");
        }
        let (key, value) = key.split_once(':')?;
        let is_top = line.starts_with(char::is_alphabetic);
        let counts = is_top && ["model_name", "model_id"].contains(&key) || is_index && key == "name";
        counts.then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    values.find(|value| is_repository_name(value))
}

/// The names and revisions that results of the model in `folder`, asked for as `asked`, had before folders had identities.
pub fn former_identities(asked: &str, folder: &Path, info: &ModelInfo) -> Vec<(String, String)> {
    let Some((kind, spelt)) = kind_of(asked) else {
        let weights = &info.identity.weights;
        let digits = weights.get(..FORMER_DIGITS).filter(|_| weights.len() > FORMER_DIGITS);
        let revision = digits.map(|digits| format!("sha256-{digits}"));
        let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return revision.map(|revision| (format!("{ORGANISATION}/{name}"), revision)).into_iter().collect();
    };
    if kind != "st" {
        return Vec::new();
    }
    let plain = spelt.trim_end_matches('/').trim_start_matches("./");
    let absolute = folder.canonicalize().ok().map(|path| path.to_string_lossy().into_owned());
    let mut spellings = vec![spelt.to_owned(), plain.to_owned(), format!("{plain}/"), format!("./{plain}")];
    spellings.extend(absolute);
    spellings.sort();
    spellings.dedup();
    spellings.into_iter().map(|name| (name, String::new())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_one_model_however_it_is_spelt() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("minilm");
        fs::create_dir(&model).unwrap();
        std::os::unix::fs::symlink(&model, folder.path().join("link")).unwrap();
        for path in [
            model.clone(),
            model.join("."),
            folder.path().join("minilm/"),
            folder.path().join("link"),
            model.join("../minilm"),
        ] {
            assert_eq!(last_name(&path), "minilm", "{}", path.display());
        }
        let cached = folder.path().join("models--lab--own-model/snapshots/0123");
        fs::create_dir_all(&cached).unwrap();
        assert_eq!(
            (last_name(&cached).as_str(), proposal(&cached).as_deref()),
            ("own-model", Some("lab/own-model"))
        );
    }

    #[test]
    fn native_results_of_before_are_looked_for_by_the_hash_of_the_weights_alone() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("minilm");
        fs::create_dir(&model).unwrap();
        let identity = Identity { weights: "0123456789abcdef".repeat(4), ..Identity::default() };
        let mut info = ModelInfo { identity, ..ModelInfo::default() };
        let of = |asked: &str, info: &ModelInfo| former_identities(asked, &model, info);
        let expected = ("local/minilm".to_owned(), "sha256-0123456789abcdef".to_owned());
        assert_eq!(of("./minilm", &info), [expected]);
        info.identity.weights.clear();
        assert_eq!(of("./minilm", &info), []);
        let names: Vec<String> = of("st:./minilm", &info).into_iter().map(|(name, _)| name).collect();
        assert!(["minilm", "./minilm", "minilm/"].iter().all(|name| names.contains(&(*name).to_owned())));
    }

    #[test]
    fn a_readme_proposes_the_models_own_name_and_never_that_of_its_base() {
        let of = |head: &str| of_front_matter(&format!("---\n{head}\n---\n# Title\nmodel_name: a/b\n"));
        assert_eq!(of("base_model: org/base\ntags:\n- x"), None);
        assert_eq!(of("model_name: lab/own").as_deref(), Some("lab/own"));
        assert_eq!(of("base_model: org/base\nmodel-index:\n- name: lab/own").as_deref(), Some("lab/own"));
        assert_eq!(of("model-index:\n- name: \"lab/own\"\n  results: []").as_deref(), Some("lab/own"));
        assert_eq!(of("model-index:\n- name: SentenceTransformer based on org/base"), None);
        assert_eq!(of("datasets:\n- name: org/data"), None);
        assert_eq!(of_front_matter("model_name: lab/own\n"), None);
    }
}
