//! What several tests begin with: what is slow to make is made once in a run of the tests, and copied for each;
//! and small tasks of scored pairs of texts.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::host::profile_folder;

/// Fills `folder` with a copy of what `make` writes into an empty folder. The first test of a run that asks for `name` makes it, and
/// others wait for it; a later run makes it again, whatever is left of this one.
///
/// # Errors
/// If files cannot be written or copied.
pub fn copy_made(name: &str, folder: &Path, make: impl FnOnce(&Path)) -> io::Result<()> {
    let all = profile_folder().join("made");
    fs::create_dir_all(&all)?;
    // The system unlocks it when the test ends, however it ends.
    let lock = File::create(all.join(format!("{name}.lock")))?;
    lock.lock()?;
    let (made, of_run) = (all.join(name), all.join(format!("{name}.run")));
    if fs::read_to_string(&of_run).unwrap_or_default() != this_run() {
        if made.exists() {
            fs::remove_dir_all(&made)?;
        }
        fs::create_dir(&made)?;
        make(&made);
        fs::write(&of_run, this_run())?;
    }
    copy_folder(&made, folder)
}

/// The run of cargo-nextest, whose tests are processes of their own, or this process, which has all tests of `cargo test`.
fn this_run() -> String {
    let process = || format!("process {}", std::process::id());
    std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| process())
}

/// Copies all that lies below `from`, also into a folder that exists. Links lead where they led.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to, kind) = (entry.path(), to.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() {
            copy_folder(&from, &to)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&from)?, to)?;
        } else {
            fs::copy(&from, to)?;
        }
    }
    Ok(())
}

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
