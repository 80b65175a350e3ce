//! Puts the cards and the data of all editions of the pack into the library, each text once, compressed.
//!
//! `editions/N/` holds what edition N has of its own: `tasks.txt` names its tasks, and a task without a card or data there
//! is that of the next numbered edition which has it, the present one at last. Data of editions are compressed by zstd.
//! `editions/judged-N/` has texts as they were judged, which no other edition takes over. `graded/` has judgements of readers
//! on a scale from 0 to 10, of which tasks of their own are made.

mod graded;
mod pack;
#[allow(dead_code, reason = "it is the whole build script of other plugins")]
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use pack::{Outcome, Pack, list_files, read_file, stem};

fn main() -> Outcome<()> {
    sources::tell()?;
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let mut pack = Pack::new(PathBuf::from(std::env::var("OUT_DIR")?));
    for card in list_files(&root.join("cards"))? {
        pack.put(&stem(&card), "", std::slice::from_ref(&root))?;
    }
    let editions = list_files(&root.join("editions"))?;
    for (place, edition) in editions.iter().enumerate() {
        let suffix = format!("@{}", stem(edition));
        let later = editions[place + 1..].iter().filter(|other| is_numbered(other));
        let folders: Vec<PathBuf> = [edition].into_iter().chain(later).chain([&root]).cloned().collect();
        for task in tasks(edition, &root)? {
            pack.put(&task, &suffix, &folders)?;
        }
    }
    graded::put(&mut pack, &root)?;
    pack.finish()
}

/// Whether an edition is one of the benchmark, not texts that were judged.
fn is_numbered(edition: &Path) -> bool {
    stem(edition).bytes().all(|byte| byte.is_ascii_digit())
}

/// The tasks of an edition. What it holds must be of one of them.
fn tasks(edition: &Path, root: &Path) -> Outcome<Vec<String>> {
    let list = edition.join("tasks.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let text = fs::read_to_string(&list).map_err(|error| {
        format!("{}: expected the names of its tasks, a line each: {error}", list.display())
    })?;
    let tasks: Vec<String> = text.lines().map(str::to_owned).collect();
    for own in list_files(&edition.join("cards"))?.into_iter().chain(list_files(&edition.join("data"))?) {
        let task = stem(&own);
        if !tasks.contains(&task) {
            return Err(format!("{}: expected a task of {}", own.display(), list.display()).into());
        }
        check_revision(&task, edition, root)?;
    }
    Ok(tasks)
}

/// Data is found by the revision in its card, so other data needs another one.
fn check_revision(task: &str, edition: &Path, root: &Path) -> Outcome<()> {
    let [own, present] = [edition, root].map(|folder| folder.join("cards").join(format!("{task}.toml")));
    let data = [edition, root].map(|folder| folder.join("data").join(task));
    if !present.is_file() || !data[0].is_dir() || contents(&data[0])? == contents(&data[1])? {
        return Ok(());
    }
    if !own.is_file() || revision(&own)? == revision(&present)? {
        let message = "other data than in an earlier edition needs another `revision` in the card, and the earlier card";
        return Err(format!("{}: {message} in {}", present.display(), own.display()).into());
    }
    Ok(())
}

fn revision(card: &Path) -> Outcome<Option<String>> {
    let text = fs::read_to_string(card)?;
    Ok(text.lines().find(|line| line.starts_with("revision")).map(str::to_owned))
}

fn contents(folder: &Path) -> Outcome<Vec<(String, String)>> {
    list_files(folder)?.iter().map(|file| Ok((stem(file), String::from_utf8(read_file(file)?)?))).collect()
}
