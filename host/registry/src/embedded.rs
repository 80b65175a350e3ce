//! The registries, task cards and model cards that are part of the host.

use std::alloc::{Layout, handle_alloc_error};
use std::collections::HashMap;
use std::sync::OnceLock;

use zstd::zstd_safe::DCtx;

/// A file below `registries/`.
#[derive(Clone, Copy, Debug)]
pub struct File(&'static Packed);

impl File {
    /// Its path below `registries/`, with `/` between folders.
    pub fn path(self) -> &'static str {
        self.0.path
    }

    /// Its name without folders.
    pub fn name(self) -> &'static str {
        self.0.path.get(self.0.name..).unwrap_or(self.0.path)
    }

    /// Its content.
    pub fn text(self) -> &'static str {
        TEXTS.text(self.0.text)
    }

    /// Its content as JSON; `None` for a file that is no TOML.
    pub fn json(self) -> Option<&'static str> {
        self.0.json.map(|place| JSONS.text(place))
    }
}

/// Every file, sorted by path.
pub fn files() -> impl Iterator<Item = File> {
    FILES.iter().map(File)
}

/// The file at `path` below `registries/`.
pub fn file(path: &str) -> Option<File> {
    let place = FILES.binary_search_by_key(&path, |file| file.path).ok()?;
    FILES.get(place).map(File)
}

/// The files in `folder` and in the folders in it, sorted by path.
pub fn files_below(folder: &str) -> impl Iterator<Item = File> {
    let folder = format!("{}/", folder.trim_end_matches('/'));
    let start = FILES.partition_point(|file| file.path < folder.as_str());
    FILES.iter().skip(start).take_while(move |file| file.path.starts_with(&folder)).map(File)
}

/// The file called `name` in `folder` or in a folder in it; of several the nearest to `folder`.
pub fn file_below(folder: &str, name: &str) -> Option<File> {
    let folder = folder.trim_end_matches('/');
    let is_below = |file: &File| file.path().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let known = |place: &u16| FILES.get(usize::from(*place)).map(File);
    let start = BY_NAME.partition_point(|place| known(place).is_some_and(|file| file.name() < name));
    let called = BY_NAME.iter().skip(start).filter_map(known).take_while(|file| file.name() == name);
    called.filter(is_below).min_by_key(|file| file.path().matches('/').count())
}

const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/sizes.tsv"));

/// The texts of a task, of all its splits and subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Texts, each counted once a column and split.
    pub texts: u64,
    /// Their characters.
    pub characters: u64,
}

/// The size of the task `name`; `None` where nobody counted.
pub fn size(name: &str) -> Option<Size> {
    static SIZES: OnceLock<HashMap<&str, Size>> = OnceLock::new();
    SIZES.get_or_init(|| TABLE.lines().filter_map(read).collect()).get(name).copied()
}

fn read(line: &'static str) -> Option<(&'static str, Size)> {
    let mut cells = line.split('\t');
    let (name, texts, characters) = (cells.next()?, cells.next()?, cells.next()?);
    Some((name, Size { texts: texts.parse().ok()?, characters: characters.parse().ok()? }))
}

/// About what the library asks for to unpack a block, beside the block.
const WORKSPACE: Layout = Layout::new::<[u8; 96 << 10]>();

/// Where a text lies.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Number of the block.
    pub block: usize,
    /// First byte in the unpacked block.
    pub start: usize,
    /// Bytes.
    pub length: usize,
}

/// Compressed blocks, one behind the other.
#[derive(Debug)]
struct Blocks<const COUNT: usize> {
    /// All blocks.
    pub bytes: &'static [u8],
    /// End of each block in `bytes`, and its length when it is unpacked.
    pub ends: [(usize, usize); COUNT],
    /// What was unpacked.
    pub unpacked: [OnceLock<String>; COUNT],
}

impl<const COUNT: usize> Blocks<COUNT> {
    /// The text at `place`; empty if the binary is damaged, which its reader says of it as of any empty file.
    pub fn text(&'static self, place: Span) -> &'static str {
        let block =
            self.unpacked.get(place.block).map(|block| block.get_or_init(|| self.unpack(place.block)));
        block.and_then(|block| block.get(place.start..place.start + place.length)).unwrap_or_default()
    }

    fn unpack(&self, number: usize) -> String {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |(end, _)| *end);
        let block =
            self.ends.get(number).and_then(|(end, length)| Some((self.bytes.get(start..*end)?, *length)));
        let unpacked = block.and_then(|(bytes, length)| decompress(bytes, length));
        unpacked.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// The text of a block; the library's own way would panic where memory is refused, this one ends as every refused allocation does.
fn decompress(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut context = DCtx::try_create().unwrap_or_else(|| handle_alloc_error(WORKSPACE));
    let mut text = Vec::with_capacity(length);
    context.decompress(&mut text, bytes).ok()?;
    Some(text)
}

/// A file and where it lies.
#[derive(Debug)]
struct Packed {
    /// Path below `registries/`.
    pub path: &'static str,
    /// Where in the path its name without folders begins.
    pub name: usize,
    /// Its text.
    pub text: Span,
    /// Its content as JSON.
    pub json: Option<Span>,
}

include!(concat!(env!("OUT_DIR"), "/pack.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_project_is_there_word_for_word() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../registries/");
        for file in files() {
            let found = std::fs::read_to_string(format!("{root}{}", file.path())).unwrap();
            assert_eq!(file.text(), found, "{}", file.path());
            assert!(file.json().is_some_and(|json| json.starts_with('{')), "{}", file.path());
        }
        assert!(files().count() > 1_000);
    }

    #[test]
    fn a_card_is_found_by_its_path_and_by_its_name_in_any_folder_below() {
        let card = file("cards/SciFact.toml").unwrap();
        assert_eq!(file_below("cards", "SciFact.toml").unwrap().path(), card.path());
        let imported = file_below("mteb", "XNLI.toml").unwrap();
        assert_eq!(imported.name(), "XNLI.toml");
        assert!(imported.text().contains("name = \"XNLI\""));
        assert!(file_below("cards", "XNLI.toml").is_none());
        assert!(file_below("mteb", "NoSuchTask.toml").is_none());
        assert!(file("cards/NoSuchTask.toml").is_none());
    }

    #[test]
    fn the_files_of_a_folder_are_those_below_it_alone() {
        let cards: Vec<&str> = files_below("cards").map(File::path).collect();
        assert!(cards.len() > 100 && cards.iter().all(|path| path.starts_with("cards/")));
        assert!(files_below("card").next().is_none());
    }

    #[test]
    fn all_of_it_takes_less_than_four_megabytes() {
        assert!(
            TEXTS.bytes.len() + JSONS.bytes.len() < 4 << 20,
            "{} {}",
            TEXTS.bytes.len(),
            JSONS.bytes.len()
        );
    }

    #[test]
    fn sizes_are_those_that_the_reference_counted() {
        assert_eq!(size("SciFact"), Some(Size { texts: 5_483, characters: 7_798_555 }));
        assert_eq!(size("NoSuchTask"), None);
    }
}
