//! The tasks of the pack as Rust source, and their texts, each once, compressed; and the files and folders that
//! it is built from.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Above this level texts get hardly smaller.
const LEVEL: i32 = 15;

/// Rust source of the datasets, and the texts that it leads to.
pub struct Pack {
    out: PathBuf,
    source: String,
    /// Number of each text.
    texts: HashMap<Vec<u8>, usize>,
}

impl Pack {
    /// A pack without a task, whose texts go into the folder `out`.
    pub fn new(out: PathBuf) -> Self {
        Self { out, source: String::from("&[\n"), texts: HashMap::new() }
    }

    /// Adds the task `name` of the first of `folders` that has its card, with the data of the first that has them.
    pub fn put(&mut self, name: &str, suffix: &str, folders: &[PathBuf]) -> Outcome<()> {
        let first = |inner: PathBuf| {
            folders.iter().map(|folder| folder.join(&inner)).find(|path| path.exists()).ok_or_else(|| {
                format!("expected {} of {name}{suffix} in {folders:?}, found none", inner.display())
            })
        };
        let card = read_file(&first(Path::new("cards").join(format!("{name}.toml")))?)?;
        let data = first(Path::new("data").join(name))?;
        let files = list_files(&data)?;
        let files =
            files.iter().map(|file| Ok((stem(file), read_file(file)?))).collect::<Outcome<Vec<_>>>()?;
        self.add(&format!("{name}{suffix}"), card, files)
    }

    /// Adds the task `name`: its card, and its files by name.
    pub fn add(&mut self, name: &str, card: Vec<u8>, files: Vec<(String, Vec<u8>)>) -> Outcome<()> {
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

    /// Writes the source.
    pub fn finish(mut self) -> Outcome<()> {
        self.source.push_str("]\n");
        Ok(fs::write(self.out.join("datasets.rs"), self.source)?)
    }
}

/// What a step of the build gives.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// How files of earlier editions end, which are kept compressed.
const COMPRESSED: &str = "zst";

/// The bytes of `file`, unpacked where it is compressed; the build runs again once they change.
pub fn read_file(file: &Path) -> Outcome<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", file.display());
    let fault = |error| format!("{}: cannot read it: {error}", file.display());
    let bytes = fs::read(file).map_err(fault)?;
    match file.extension().is_some_and(|ending| ending == COMPRESSED) {
        true => Ok(zstd::stream::decode_all(&bytes[..]).map_err(fault)?),
        false => Ok(bytes),
    }
}

/// The bytes of the data file `name` in `folder`, be it compressed or not.
pub fn read_data(folder: &Path, name: &str) -> Outcome<Vec<u8>> {
    let plain = folder.join(format!("{name}.jsonl"));
    let compressed = folder.join(format!("{name}.jsonl.{COMPRESSED}"));
    read_file(if compressed.is_file() { &compressed } else { &plain })
}

/// What is in `folder`; nothing if there is none.
pub fn list_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
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

/// The name of `file` without its endings.
pub fn stem(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match file.extension().is_some_and(|ending| ending == COMPRESSED) {
        true => stem(Path::new(&name)),
        false => name,
    }
}
