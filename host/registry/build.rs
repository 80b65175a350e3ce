//! Packs the registries and their cards into blocks, so that an installed host knows them; no build goes without.
//!
//! Beside its text each file is there as JSON, which is read many times as fast as TOML: listing all tasks is to take
//! milliseconds. A file that is no TOML has no JSON, and the host says what is wrong with it when it reads the text.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Bytes of a block before it is compressed: one card costs the unpacking of this much.
const BLOCK: usize = 1 << 16;
/// Above this level blocks get hardly smaller.
const LEVEL: i32 = 15;

fn main() -> Outcome<()> {
    let root = PathBuf::from(mteb_registries::FOLDER);
    println!("cargo::rerun-if-changed={}", root.display());
    let files = collected(&root)?;
    let (mut texts, mut jsons) = (Pack::default(), Pack::default());
    let mut source = String::from("/// Every file, sorted by path.\nstatic FILES: &[Packed] = &[\n");
    for (name, file) in &files {
        let text = fs::read_to_string(file)?;
        let json = text.parse::<toml::Table>().ok().map(|table| serde_json::to_string(&table)).transpose()?;
        let (text, json) = (texts.put(&text)?, json.map(|json| jsons.put(&json)).transpose()?);
        writeln!(
            source,
            "    Packed {{ path: {name:?}, name: {}, text: {text}, json: {} }},",
            name.rfind('/').map_or(0, |slash| slash + 1),
            json.map_or("None".to_owned(), |json| format!("Some({json})"))
        )?;
    }
    source.push_str("];\n");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    source.push_str(&texts.finished("TEXTS", &out)?);
    source.push_str(&jsons.finished("JSONS", &out)?);
    source.push_str(&by_name(&files)?);
    fs::write(out.join("pack.rs"), source)?;
    fs::copy(root.join("sizes.tsv"), out.join("sizes.tsv"))?;
    Ok(())
}

/// The files below `root` by their path from there, sorted.
fn collected(root: &Path) -> Outcome<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    collect(root, &mut files).map_err(|error| {
        format!(
            "{}: expected the registries of the project, which become part of the host: {error}",
            root.display()
        )
    })?;
    if files.is_empty() {
        return Err(format!("{}: expected registries, found no `.toml` file", root.display()).into());
    }
    let named = files.into_iter().map(|file| {
        let name = file.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        Ok((name, file))
    });
    let mut named = named.collect::<Outcome<Vec<_>>>()?;
    named.sort();
    Ok(named)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") && !is_manifest(&path) {
            files.push(path);
        }
    }
    Ok(())
}

/// True of what cargo reads of the folder's package.
fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == mteb_registries::MANIFEST)
}

/// The places of the files in the order of their names without folders; of one name, the nearest to the root first.
fn by_name(files: &[(String, PathBuf)]) -> Outcome<String> {
    let mut places: Vec<usize> = (0..files.len()).collect();
    let last = |place: &usize| {
        let path = files[*place].0.as_str();
        (path.rsplit('/').next().unwrap_or(path), path.matches('/').count(), path)
    };
    places.sort_by(|left, right| last(left).cmp(&last(right)));
    let places: Vec<String> = places.iter().map(usize::to_string).collect();
    Ok(format!(
        "/// Places in `FILES`, sorted by file name.\nstatic BY_NAME: &[u16] = &[{}];\n",
        places.join(", ")
    ))
}

/// Blocks of texts, compressed.
#[derive(Default)]
struct Pack {
    bytes: Vec<u8>,
    /// End of each block in `bytes`, and its length when it is unpacked.
    blocks: Vec<(usize, usize)>,
    open: String,
}

impl Pack {
    /// Adds a text; gives the Rust source of its place. A text is never cut.
    fn put(&mut self, text: &str) -> Outcome<String> {
        if self.open.len() + text.len() > BLOCK && !self.open.is_empty() {
            self.close()?;
        }
        let place = format!(
            "Span {{ block: {}, start: {}, length: {} }}",
            self.blocks.len(),
            self.open.len(),
            text.len()
        );
        self.open.push_str(text);
        Ok(place)
    }

    fn close(&mut self) -> Outcome<()> {
        self.bytes.extend(zstd::bulk::compress(self.open.as_bytes(), LEVEL)?);
        self.blocks.push((self.bytes.len(), self.open.len()));
        self.open.clear();
        Ok(())
    }

    fn finished(mut self, name: &str, out: &Path) -> Outcome<String> {
        if !self.open.is_empty() {
            self.close()?;
        }
        fs::write(out.join(name), &self.bytes)?;
        let (count, blocks) = (self.blocks.len(), &self.blocks);
        Ok(format!(
            "/// Compressed blocks.\nstatic {name}: Blocks<{count}> = Blocks {{\n    \
             bytes: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")),\n    ends: {blocks:?},\n    \
             unpacked: [const {{ std::sync::OnceLock::new() }}; {count}],\n}};\n"
        ))
    }
}
