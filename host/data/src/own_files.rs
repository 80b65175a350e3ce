//! The files of a folder that people work in, which may lie beside results, a cache and whatever else.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::DataError;
use crate::files_below::{collect, first_of};
use crate::input::{FORMATS, is_readable};
use crate::saved::{SAVED_ADVICE, is_state, saved_files, without_states};

/// The paths of the files below `folder` that may be data, relative to it, links followed.
///
/// Never data are files and folders whose name begins with a full stop, a folder `results`, folders of result files
/// whatever they are called, and `other_folders`.
///
/// # Errors
/// As [`crate::files_below`], and if there is no file of a form that is read.
pub fn own_files_below(folder: &Path, other_folders: &[PathBuf]) -> Result<Vec<String>, DataError> {
    let others: Vec<PathBuf> = other_folders.iter().filter_map(|other| other.canonicalize().ok()).collect();
    let mut files = collect(folder, &|name, found| may_hold_data(name, found, &others))?;
    if let Some(file) = saved_to_disk(&files) {
        let message = format!(
            "expected files with rows ({FORMATS}), found the output of `save_to_disk` ({file}); {SAVED_ADVICE}"
        );
        return Err(DataError::Malformed { place: folder.display().to_string(), message });
    }
    // What describes Arrow files that are gone lies among plain rows.
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let strays = without_states(&names).into_iter().filter(|file| is_state(&folder.join(file)));
    let strays: HashSet<String> = strays.map(str::to_owned).collect();
    files.retain(|file| !strays.contains(file));
    if files.iter().any(|file| is_readable(file)) {
        return Ok(files);
    }
    let found = if files.is_empty() { "none".to_owned() } else { first_of(&files) };
    let message = format!("expected files with rows ({FORMATS}), found {found}");
    Err(DataError::Malformed { place: folder.display().to_string(), message })
}

/// The first Arrow file of a folder that `save_to_disk` wrote, where there is no other data.
fn saved_to_disk(files: &[String]) -> Option<&str> {
    const ABOUT: [&str; 3] = ["state.json", "dataset_info.json", "dataset_dict.json"];
    let is_about = |file: &str| file.rsplit('/').next().is_some_and(|name| ABOUT.contains(&name));
    let saved = saved_files(files.iter().map(String::as_str)).into_iter().next()?;
    files.iter().all(|file| is_about(file) || !is_readable(file)).then_some(saved)
}

/// False for what is beside the data where people work.
fn may_hold_data(name: &str, path: &Path, others: &[PathBuf]) -> bool {
    /// What a run writes into each of its folders of results.
    const MARK: &str = "model_meta.json";
    let is_hidden = name.rsplit('/').next().is_some_and(|last| last.starts_with('.'));
    if is_hidden || !path.is_dir() {
        return !is_hidden && !is_kept(name);
    }
    let is_other = || path.canonicalize().is_ok_and(|path| others.contains(&path));
    name != "results" && !path.join(MARK).is_file() && !is_other()
}

/// True for files of a cache that was somewhere else before, or is no longer named: they are called by a commit or a hash.
fn is_kept(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let hash = name.strip_suffix(".json").unwrap_or_default();
    matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let temporary = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = temporary.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        temporary
    }

    #[test]
    fn results_caches_and_hidden_files_are_no_data() {
        let folder = folder(&[
            ("test.csv", "text\na\n"),
            (".hidden/train.csv", "text\n"),
            ("results/m/1/T.json", "{}"),
            ("tried/m/1/T.json", "{}"),
            ("tried/m/1/model_meta.json", "{}"),
            ("kept/tables/x.json", "{}"),
            ("test/plugins/2a172c3ec0713a8564aad4ad0ef38ee426673bd94c80a819a8f2f59c743018a8.json", "{}"),
            ("more/results/validation.csv", "text\nb\n"),
        ]);
        let mut files = own_files_below(folder.path(), &[folder.path().join("kept")]).unwrap();
        files.sort();
        assert_eq!(files, ["more/results/validation.csv", "test.csv"]);
    }

    #[test]
    fn what_save_to_disk_writes_about_its_files_is_no_rows() {
        let state = r#"{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}"#;
        let beside = folder(&[("test.jsonl", "{}"), ("state.json", state), ("dataset_info.json", "{}")]);
        let mut files = own_files_below(beside.path(), &[]).unwrap();
        files.sort();
        assert_eq!(files, ["dataset_info.json", "test.jsonl"]);
        let own = folder(&[("test.jsonl", "{}"), ("state.json", "[{\"text\": \"a\"}]")]);
        assert_eq!(own_files_below(own.path(), &[]).unwrap().len(), 2, "rows may be called so");
    }

    #[test]
    fn a_folder_without_readable_files_names_those_it_has() {
        let folder = folder(&[("pairs.txt", "a b"), ("results/m/1/T.json", "{}")]);
        let error = own_files_below(folder.path(), &[]).unwrap_err().to_string();
        assert!(error.ends_with(".jsonl, .ndjson, .json, .csv, .tsv), found pairs.txt"), "{error}");
    }
}
