//! Where results lie: which folders are models, revisions and experiments, and which files in them
//! are results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mteb_results::folder_layout::{EXPERIMENTS, META, SUPERSEDED};

/// Folders within the folder of results in which results are looked for.
const DEEPEST: usize = 4;

/// A folder that may hold results.
#[derive(Clone, Debug)]
pub struct Found {
    /// The folder.
    pub path: PathBuf,
    /// Name of the folder of the model.
    pub model: String,
    /// Name of the folder of the revision.
    pub revision: String,
    /// Name of the experiment.
    pub experiment: Option<String>,
}

/// All folders below `root`: `<model>/<revision>` and `<model>/<revision>/experiments/<name>`,
/// sorted, and deeper ones whose `model_meta.json` or whose name says that they are results. A
/// folder that has `results/` with models in it, as the public repository, is read there.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(root: &Path) -> io::Result<Vec<Found>> {
    let nested = root.join("results");
    let root = if nested.is_dir() && has_models(&nested)? && !has_models(root)? { &nested } else { root };
    let mut found = Vec::new();
    for revision in revisions(root, 0)? {
        let model = revision.parent().map(last).unwrap_or_default();
        let folder = |path: &Path, experiment: Option<String>| Found {
            path: path.to_owned(),
            model: model.clone(),
            revision: last(&revision),
            experiment,
        };
        found.push(folder(&revision, None));
        let experiments = revision.join(EXPERIMENTS);
        if experiments.is_dir() {
            found.extend(subfolders(&experiments)?.iter().map(|path| folder(path, Some(last(path)))));
        }
    }
    Ok(found)
}

/// The folders of revisions below `root`: all that are two folders deep, and deeper ones that name
/// their model.
fn revisions(root: &Path, depth: usize) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for model in subfolders(root)? {
        let mut has_own = false;
        for revision in subfolders(&model)? {
            let is_own = revision.join(META).is_file() || (is_named(&model) && !files(&revision)?.is_empty());
            has_own |= is_own;
            if is_own || depth == 0 {
                found.push(revision);
            }
        }
        if !has_own && depth < DEEPEST {
            found.extend(revisions(&model, depth + 1)?);
        }
    }
    Ok(found)
}

/// True if a folder is called as that of a model of the hub, `organisation__name`.
fn is_named(model: &Path) -> bool {
    last(model)
        .split_once("__")
        .is_some_and(|(organisation, name)| !organisation.is_empty() && !name.is_empty())
}

/// The result files in a folder and its `model_meta.json`, sorted by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The copies of result files in a folder as they were before scores in them were replaced, each
/// with its task, the newest first.
pub fn find_copies_of_before(folder: &Path) -> Vec<(String, PathBuf)> {
    mteb_files::copies(&folder.join(SUPERSEDED))
}

/// The last part of a path.
pub fn last(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// True if a folder in a folder in `root` holds a JSON file.
fn has_models(root: &Path) -> io::Result<bool> {
    for model in subfolders(root)?.into_iter().take(64) {
        for revision in subfolders(&model)? {
            if !files(&revision)?.is_empty() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn subfolders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let is_folder = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
        // A run that is writing has a folder of its own there for a moment.
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(b".mteb-host-");
        if is_folder && !is_ours && entry.file_name() != EXPERIMENTS && entry.file_name() != SUPERSEDED {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}
