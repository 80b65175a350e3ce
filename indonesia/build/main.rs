//! Puts the cards and the data of all editions of the pack into the library, each text once, compressed.
//!
//! `editions/N/` holds what edition N has of its own: `tasks.txt` names its tasks, and a task without a card or data there is
//! that of the next edition which has it, the present one at last. `graded/` has judgements of readers on a scale from 0 to 10, of which
//! tasks of their own are made.

mod graded;

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Above this level texts get hardly smaller.
const LEVEL: i32 = 15;

fn main() -> Outcome<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let mut pack = Pack::new(PathBuf::from(std::env::var("OUT_DIR")?));
    for card in sorted(&root.join("cards"))? {
        pack.put(&stem(&card), "", std::slice::from_ref(&root))?;
    }
    let editions = sorted(&root.join("editions"))?;
    for (place, edition) in editions.iter().enumerate() {
        let suffix = format!("@{}", stem(edition));
        let folders: Vec<PathBuf> = editions[place..].iter().chain([&root]).cloned().collect();
        for task in tasks(edition, &root)? {
            pack.put(&task, &suffix, &folders)?;
        }
    }
    graded::put(&mut pack, &root)?;
    pack.finish()
}

/// The tasks of an edition. What it holds must be of one of them.
fn tasks(edition: &Path, root: &Path) -> Outcome<Vec<String>> {
    let list = edition.join("tasks.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let text = fs::read_to_string(&list).map_err(|error| {
        format!("{}: expected the names of its tasks, a line each: {error}", list.display())
    })?;
    let tasks: Vec<String> = text.lines().map(str::to_owned).collect();
    for own in sorted(&edition.join("cards"))?.into_iter().chain(sorted(&edition.join("data"))?) {
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
    sorted(folder)?.iter().map(|file| Ok((stem(file), fs::read_to_string(file)?))).collect()
}

/// Rust source of the datasets, and the texts that it leads to.
struct Pack {
    out: PathBuf,
    source: String,
    /// Number of each text.
    texts: HashMap<Vec<u8>, usize>,
}

impl Pack {
    fn new(out: PathBuf) -> Self {
        Self { out, source: String::from("&[\n"), texts: HashMap::new() }
    }

    /// Adds the task `name` of the first of `folders` that has its card, with the data of the first that has them.
    fn put(&mut self, name: &str, suffix: &str, folders: &[PathBuf]) -> Outcome<()> {
        let first = |inner: PathBuf| {
            folders.iter().map(|folder| folder.join(&inner)).find(|path| path.exists()).ok_or_else(|| {
                format!("expected {} of {name}{suffix} in {folders:?}, found none", inner.display())
            })
        };
        let card = read(&first(Path::new("cards").join(format!("{name}.toml")))?)?;
        let data = first(Path::new("data").join(name))?;
        let files = sorted(&data)?;
        let files = files.iter().map(|file| Ok((stem(file), read(file)?))).collect::<Outcome<Vec<_>>>()?;
        self.add(&format!("{name}{suffix}"), card, files)
    }

    /// Adds the task `name`: its card, and its files by name.
    fn add(&mut self, name: &str, card: Vec<u8>, files: Vec<(String, Vec<u8>)>) -> Outcome<()> {
        let card = self.text(card)?;
        writeln!(self.source, "    Dataset {{ name: {name:?}, card: {card}, files: &[")?;
        for (file, content) in files {
            let text = self.text(content)?;
            writeln!(self.source, "        ({file:?}, {text}),")?;
        }
        writeln!(self.source, "    ] }},")?;
        Ok(())
    }

    /// Rust source of `content`, which is written once however many datasets share it.
    fn text(&mut self, content: Vec<u8>) -> Outcome<String> {
        let length = content.len();
        let number = match self.texts.get(&content) {
            Some(number) => *number,
            None => {
                let number = self.texts.len();
                fs::write(self.out.join(format!("{number}.zst")), zstd::bulk::compress(&content, LEVEL)?)?;
                self.texts.insert(content, number);
                number
            }
        };
        Ok(format!(
            "Packed {{ length: {length}, bytes: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{number}.zst\")) }}"
        ))
    }

    fn finish(mut self) -> Outcome<()> {
        self.source.push_str("]\n");
        Ok(fs::write(self.out.join("datasets.rs"), self.source)?)
    }
}

fn read(file: &Path) -> Outcome<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", file.display());
    fs::read(file).map_err(|error| format!("{}: cannot read it: {error}", file.display()).into())
}

/// What is in `folder`; nothing if there is none.
fn sorted(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| !file.file_name().unwrap_or_default().to_string_lossy().starts_with('.'));
    files.sort();
    Ok(files)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
