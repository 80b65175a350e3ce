//! What `save_to_disk` of the library `datasets` writes: the Arrow files of a split in a folder, and JSON that describes them.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

/// What describes the Arrow files beside it.
const STATE: &str = "state.json";

/// Most bytes of such a file that are looked at.
const MOST: u64 = 1 << 20;

/// What is to be done about such files.
pub const SAVED_ADVICE: &str =
    "load it with `datasets.load_from_disk` and write each split with `ds.to_parquet(\"test.parquet\")`";

/// The Arrow files of `files`, paths below one folder, that `save_to_disk` wrote: [`STATE`] lies beside each.
pub fn saved_files<'a>(files: impl Iterator<Item = &'a str> + Clone) -> Vec<&'a str> {
    let described: HashSet<&str> =
        files.clone().filter(|file| is_called_state(file)).map(folder_of).collect();
    files.filter(|file| file.ends_with(".arrow") && described.contains(folder_of(file))).collect()
}

/// `files` without those that describe Arrow files beside them.
pub fn without_states<'a>(files: &[&'a str]) -> Vec<&'a str> {
    let saved: HashSet<&str> =
        files.iter().copied().filter(|file| file.ends_with(".arrow")).map(folder_of).collect();
    let is_kept = |file: &&str| !is_called_state(file) || !saved.contains(folder_of(file));
    files.iter().copied().filter(is_kept).collect()
}

/// True if the file at `path` was written by `save_to_disk` to describe Arrow files, wherever these are now: rows of one's own may be
/// called so, too.
pub fn is_state(path: &Path) -> bool {
    let is_called_so = path.file_name().is_some_and(|name| name == STATE);
    let text = || mteb_files::read_to_string(path, MOST).ok();
    let json = || serde_json::from_str::<Value>(&text()?).ok();
    is_called_so && json().is_some_and(|json| json.get("_data_files").is_some_and(Value::is_array))
}

fn is_called_state(file: &str) -> bool {
    file.rsplit('/').next() == Some(STATE)
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_describes_arrow_files_is_known_by_its_name_and_its_neighbours() {
        let files = ["a/state.json", "a/data-0.arrow", "b/state.json", "b/test.jsonl", "c/data-0.arrow"];
        assert_eq!(saved_files(files.into_iter()), ["a/data-0.arrow"]);
        assert_eq!(
            without_states(&files),
            ["a/data-0.arrow", "b/state.json", "b/test.jsonl", "c/data-0.arrow"]
        );
    }

    #[test]
    fn what_describes_arrow_files_that_are_gone_is_known_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let is = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            is_state(&path)
        };
        let state = r#"{"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_fingerprint": "1", "_split": "test"}"#;
        assert!(is("state.json", state));
        assert!(!is("test.json", state) && !is("state.json", r#"[{"text": "a"}]"#) && !is("state.json", "{"));
    }
}
