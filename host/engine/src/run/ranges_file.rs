//! The file in which a shard leaves what it has found in ranges of a corpus: `ranges/<task>/<split>/<subset>.found` in its results.
//!
//! A line of JSON (what it was made from, what it cost, SHA-256 of the rest), then little-endian numbers: of each range its number, the
//! rows that were found, the lengths of their ids, the ids, and of each query the number of its documents, their rows and scores.

use std::io;
use std::path::{Path, PathBuf};

use mteb_data::Texts;
use mteb_files::own_name;
use mteb_json::Json;
use mteb_results::UnitName;
use mteb_tasks::{FoundInRange, FoundInRanges, Ranges};
use tracing::debug;

/// Most bytes of such a file.
const MOST_BYTES: u64 = 64 << 30;

/// What a shard has found in ranges of a corpus, and what it says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RangesFile {
    /// What it was made from and what it cost.
    pub head: Json,
    /// What was found.
    pub found: FoundInRanges,
}

/// Why what a shard has found cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RangesFileError {
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not as it was written.
    #[error(
        "{}: expected what a shard has found in ranges of a corpus, found a damaged file; remove it and run the shard again",
        .0.display()
    )]
    Damaged(PathBuf),
}

impl RangesFile {
    /// The file of a unit in the `folder` of the results of a model.
    pub fn path(folder: &Path, unit: UnitName) -> PathBuf {
        let folder = folder.join("ranges").join(own_name(unit.task)).join(own_name(unit.split));
        folder.join(format!("{}.found", own_name(unit.subset)))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        debug!(path = %path.display(), "write ranges");
        let body = body(&self.found);
        let mut head = self.head.clone();
        let count = |number: usize| Json::Int(i64::try_from(number).unwrap_or(i64::MAX));
        head.set("depth", count(self.found.depth));
        head.set("queries", count(self.found.queries));
        head.set("documents", count(self.found.documents as usize));
        head.set("sha256", Json::from(mteb_files::sha256(body.as_slice())?.as_str()));
        let mut bytes = format!("{}\n", head.to_python(0).replace('\n', " ")).into_bytes();
        bytes.extend(body);
        mteb_files::write(path, &bytes)
    }

    /// Reads the file at `path`; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or is not as it was written.
    pub fn read(path: &Path) -> Result<Option<Self>, RangesFileError> {
        let bytes = match mteb_files::read(path, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RangesFileError::Io { path: path.to_owned(), source }),
        };
        match Self::parse(&bytes) {
            Some(file) => Ok(Some(file)),
            None => Err(RangesFileError::Damaged(path.to_owned())),
        }
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let (head, body) = (&bytes[..end], &bytes[end + 1..]);
        let mut head = Json::parse(std::str::from_utf8(head).ok()?).ok()?;
        if head.get("sha256")?.as_text()? != mteb_files::sha256(body).ok()? {
            return None;
        }
        let count = |key: &str| Some(head.get(key)?.as_number()? as usize);
        let (depth, queries, documents) = (count("depth")?, count("queries")?, count("documents")?);
        ["depth", "queries", "documents", "sha256"].into_iter().for_each(|key| head.remove(key));
        let mut found =
            FoundInRanges { depth, queries, documents: u32::try_from(documents).ok()?, ..Default::default() };
        let mut left = body;
        while !left.is_empty() {
            let number = number(&mut left)?;
            found.ranges.insert(number, range(&mut left, queries)?);
        }
        Some(Self { head, found })
    }

    /// The ranges that were searched.
    pub fn ranges(&self) -> Option<Ranges> {
        let numbers = self.head.get("ranges")?.as_list()?.iter().map(|pair| {
            let [start, end] = pair.as_list()? else { return None };
            Some(start.as_number()? as u32..end.as_number()? as u32)
        });
        Some(Ranges::new(numbers.collect::<Option<_>>()?))
    }
}

/// Ranges as the head of the file has them.
pub fn ranges_json(ranges: &Ranges) -> Json {
    let pair = |numbers: &std::ops::Range<u32>| {
        Json::List([numbers.start, numbers.end].map(|number| Json::Int(number.into())).to_vec())
    };
    Json::List(ranges.numbers().iter().map(pair).collect())
}

fn body(found: &FoundInRanges) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, range) in &found.ranges {
        push(&mut bytes, [*number, range.rows.len() as u32]);
        push(&mut bytes, range.rows.iter().copied());
        push(&mut bytes, range.ids.iter().map(|id| id.len() as u32));
        range.ids.iter().for_each(|id| bytes.extend(id.as_bytes()));
        for items in &range.found {
            push(&mut bytes, [items.len() as u32]);
            push(&mut bytes, items.iter().flat_map(|&(row, score)| [row, score.to_bits()]));
        }
    }
    bytes
}

fn push(bytes: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    numbers.into_iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// The next range of a search with so many query rows; `None` if it is not as it was written.
fn range(left: &mut &[u8], queries: usize) -> Option<FoundInRange> {
    let count = number(left)?;
    let rows: Vec<u32> = numbers(left, count)?;
    let mut ids = Texts::new();
    for length in numbers(left, count)? {
        let (id, others) = left.split_at_checked(length as usize)?;
        *left = others;
        ids.push(std::str::from_utf8(id).ok()?);
    }
    let items = |_| {
        let count = number(left)?;
        let numbers = numbers(left, count.checked_mul(2)?)?;
        Some(numbers.chunks_exact(2).map(|pair| (pair[0], f32::from_bits(pair[1]))).collect())
    };
    let found = (0..queries).map(items).collect::<Option<_>>()?;
    Some(FoundInRange { rows, ids, found })
}

fn number(left: &mut &[u8]) -> Option<u32> {
    let (bytes, others) = left.split_first_chunk()?;
    *left = others;
    Some(u32::from_le_bytes(*bytes))
}

fn numbers(left: &mut &[u8], count: u32) -> Option<Vec<u32>> {
    let (bytes, others) = left.split_at_checked(4 * count as usize)?;
    *left = others;
    let number = |bytes: &[u8]| bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    bytes.chunks_exact(4).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> RangesFile {
        let range = FoundInRange {
            rows: vec![50_000, 50_007],
            ids: ["é", "doc 7"].into_iter().collect(),
            found: vec![vec![(50_007, 0.5), (50_000, -0.25)], Vec::new()],
        };
        let ranges = [(1, range)].into_iter().collect();
        let head = Json::object([("ranges", ranges_json(&Ranges::new(vec![1..2, 4..u32::MAX])))]);
        RangesFile { head, found: FoundInRanges { depth: 2, queries: 2, documents: 60_000, ranges } }
    }

    #[test]
    fn what_was_found_outlasts_its_way_through_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let unit = UnitName { task: "A", split: "test", subset: "a/b" };
        let path = RangesFile::path(folder.path(), unit);
        assert!(matches!(RangesFile::read(&path), Ok(None)));
        file().write(&path).unwrap();
        let found = RangesFile::read(&path).unwrap().unwrap();
        assert_eq!(found, file());
        assert_eq!(found.ranges(), Some(Ranges::new(vec![1..2, 4..u32::MAX])));
    }

    #[test]
    fn a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.found");
        file().write(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for damaged in [&whole[..whole.len() - 1], &whole[..20], &[&whole[..], b"x"].concat()] {
            std::fs::write(&path, damaged).unwrap();
            assert!(RangesFile::read(&path).unwrap_err().to_string().contains("found a damaged file"));
        }
    }
}
