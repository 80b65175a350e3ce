//! Small tasks of scored pairs of texts.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;

/// Writes the card of the task `name` to `<folder>/task.toml`; its data lie in `<folder>/data/<subset>`.
///
/// # Errors
/// If a file cannot be written.
pub fn write_pair_card<S: AsRef<str>>(folder: &Path, name: &str, subsets: &[S]) -> io::Result<()> {
    let line = |subset: &S| format!("{} = {{ languages = [\"ind-Latn\"] }}\n", subset.as_ref());
    let subsets: String = subsets.iter().map(line).collect();
    let card = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"For tests.\"\n[dataset]\npath = \"data\"\n\
         [subsets]\n{subsets}"
    );
    fs::write(folder.join("task.toml"), card)
}

/// Writes the pairs of a subset: two texts and a score.
///
/// # Errors
/// If a file cannot be written.
pub fn write_pairs<L: AsRef<str>, R: AsRef<str>>(
    folder: &Path,
    subset: &str,
    pairs: impl IntoIterator<Item = (L, R, f64)>,
) -> io::Result<()> {
    let line = |(left, right, score): (L, R, f64)| {
        json!({"sentence1": left.as_ref(), "sentence2": right.as_ref(), "score": score}).to_string() + "\n"
    };
    let text: String = pairs.into_iter().map(line).collect();
    let folder = folder.join("data").join(subset);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("test.jsonl"), text)
}
