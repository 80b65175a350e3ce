//! Folders of results: every model, revision and experiment, with the files that can be right.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mteb_engine::results::{Json, ResultFile, read_checked, read_json};

/// Where experiments of a model lie, below its revision.
const EXPERIMENTS: &str = "experiments";

/// The results of one model, revision and experiment.
#[derive(Clone, Debug)]
pub struct ModelFolder {
    /// Name of the model.
    pub model: String,
    /// Revision of the model, as its folder is called.
    pub revision: String,
    /// Name of the experiment: what is not as usual.
    pub experiment: Option<String>,
    /// The files by task.
    pub files: BTreeMap<String, ResultFile>,
}

/// Reads all results below `root`, `<model>/<revision>/<Task>.json`, of tasks that are `wanted`; a line for each file that
/// is left out goes to `warnings`.
///
/// # Errors
/// If a folder cannot be read.
pub fn read_folders(
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    warnings: &mut Vec<String>,
) -> io::Result<Vec<ModelFolder>> {
    let mut found = Vec::new();
    for model in subfolders(root)? {
        for revision in subfolders(&model)? {
            let name = model_name(&revision, warnings);
            let mut add = |folder: &Path, experiment: Option<String>| -> io::Result<()> {
                let files = read_files(folder, &name, wanted, warnings)?;
                let (model, revision) = (name.given_or_folder(), last(&revision));
                if !files.is_empty() {
                    found.push(ModelFolder { model, revision, experiment, files });
                }
                Ok(())
            };
            add(&revision, None)?;
            let experiments = revision.join(EXPERIMENTS);
            if experiments.is_dir() {
                for experiment in subfolders(&experiments)? {
                    add(&experiment, Some(last(&experiment)))?;
                }
            }
        }
    }
    Ok(found)
}

/// What a model is called.
struct Name {
    given: Option<String>,
    folder: String,
}

impl Name {
    fn given_or_folder(&self) -> String {
        self.given.clone().unwrap_or_else(|| self.folder.clone())
    }
}

fn read_files(
    folder: &Path,
    name: &Name,
    wanted: &dyn Fn(&str) -> bool,
    warnings: &mut Vec<String>,
) -> io::Result<BTreeMap<String, ResultFile>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let is_result = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.extension().is_some_and(|extension| extension == "json") && stem != "model_meta" && wanted(&stem)
    };
    let mut files = BTreeMap::new();
    for path in paths.into_iter().filter(is_result) {
        match read_checked(&path).and_then(|file| of_model(file, name)) {
            Ok(file) => drop(files.insert(file.task_name.clone(), file)),
            Err(fault) => warnings.push(format!("{}: left out: {fault}", path.display())),
        }
    }
    Ok(files)
}

/// The file, if it is of the model whose folder it lies in.
fn of_model(file: ResultFile, name: &Name) -> Result<ResultFile, String> {
    let own = file.host.get("model").and_then(|model| model.get("name")).and_then(Json::as_text);
    match (own, &name.given) {
        (Some(own), Some(given)) if own != given => {
            Err(format!("expected results of the model {given}, found: {own}"))
        }
        _ => Ok(file),
    }
}

/// The model's name as its `model_meta.json` gives it, else as its folder is called.
fn model_name(revision: &Path, warnings: &mut Vec<String>) -> Name {
    let folder = last(revision.parent().unwrap_or(revision)).replace("__", "/");
    let path = revision.join("model_meta.json");
    if !path.exists() {
        return Name { given: None, folder };
    }
    let name = read_json(&path).and_then(|meta| {
        let name = meta.get("name").and_then(Json::as_text).map(str::to_owned);
        name.ok_or_else(|| "expected the name of a model under `name`, found none".to_owned())
    });
    if let Err(fault) = &name {
        warnings.push(format!("{}: {fault}; the model is called as its folder", path.display()));
    }
    Name { given: name.ok(), folder }
}

fn last(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn subfolders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && last(&path) != EXPERIMENTS {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}
