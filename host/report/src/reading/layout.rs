//! Where results lie: which folders are models, revisions and experiments, and which files in them are results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where experiments of a model lie, below its revision.
const EXPERIMENTS: &str = "experiments";

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

/// All folders below `root`: `<model>/<revision>` and `<model>/<revision>/experiments/<name>`, sorted. A folder that has
/// `results/` with models in it, as the public repository, is read there.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(root: &Path) -> io::Result<Vec<Found>> {
    let nested = root.join("results");
    let root = if nested.is_dir() && has_models(&nested)? && !has_models(root)? { &nested } else { root };
    let mut found = Vec::new();
    for model in subfolders(root)? {
        for revision in subfolders(&model)? {
            let folder = |path: &Path, experiment: Option<String>| Found {
                path: path.to_owned(),
                model: last(&model),
                revision: last(&revision),
                experiment,
            };
            found.push(folder(&revision, None));
            let experiments = revision.join(EXPERIMENTS);
            if experiments.is_dir() {
                found.extend(subfolders(&experiments)?.iter().map(|path| folder(path, Some(last(path)))));
            }
        }
    }
    Ok(found)
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
        if is_folder && entry.file_name() != EXPERIMENTS {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}
