//! The tasks of the pack as Rust source, and their texts, each once, compressed.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{Outcome, read, sorted, stem};

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
        let card = read(&first(Path::new("cards").join(format!("{name}.toml")))?)?;
        let data = first(Path::new("data").join(name))?;
        let files = sorted(&data)?;
        let files = files.iter().map(|file| Ok((stem(file), read(file)?))).collect::<Outcome<Vec<_>>>()?;
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
