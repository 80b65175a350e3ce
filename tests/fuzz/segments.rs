//! Damaged cache entries.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mteb_cache::{Index, Key, RequestedRow, RowPlace, Segment, SegmentHead, checksum};

use super::mutate::{kind, write_anew};

/// Bytes before the keys: magic, four numbers, the hash of the identity.
const FIXED: usize = 56;
const HASH: usize = 32;
/// Longest file that is made to fit its head.
const MAX_LENGTH: usize = 1 << 14;

/// Reads an entry as it is, and once more with the length and the head's hash that its counts ask for, so that what lies
/// behind these two checks is reached.
pub fn cache(input: &[u8]) -> String {
    format!("{}; sealed: {}", answer(input), seal(input).map_or_else(String::new, |bytes| answer(&bytes)))
}

fn seal(input: &[u8]) -> Option<Vec<u8>> {
    let number = |place: usize| -> Option<usize> {
        let bytes = input.get(8 + 4 * place..12 + 4 * place)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let [dimension, rows, rows_per_block] = [number(1)?, number(2)?, number(3)?];
    let hash = FIXED + 16 * rows + 16 * rows.div_ceil(rows_per_block.max(1));
    let length = rows.checked_mul(dimension)?.checked_mul(4)?.checked_add(hash + HASH)?;
    if length > MAX_LENGTH {
        return None;
    }
    let mut bytes = input.to_vec();
    bytes.resize(length, 0);
    let sum = blake3::hash(&bytes[..hash]);
    bytes[hash..hash + HASH].copy_from_slice(sum.as_bytes());
    Some(bytes)
}

/// Reads all that a run and `cache verify` read; what is given back must be what the file holds.
fn answer(bytes: &[u8]) -> String {
    let path = file();
    write_anew(path, bytes);
    let head = match SegmentHead::read(&mut &bytes[..], bytes.len() as u64) {
        Ok(head) => head,
        Err(error) => return kind(&error.to_string()),
    };
    assert!(bytes.starts_with(&head.to_bytes()), "a head is kept");
    look_up(&head.keys);
    let (identity, dimension, rows, offset) =
        (head.identity, head.dimension, head.keys.len(), head.rows_offset() as usize);
    assert!(Segment::open(path, &[!identity[0]; HASH], dimension).is_err(), "rows of another model");
    let (mut segment, keys) = Segment::open(path, &identity, dimension).unwrap();
    assert_eq!(keys, head.keys);
    let checked = segment.check(&File::open(path).unwrap());
    let wanted: Vec<RequestedRow> = (0..rows).map(|row| RequestedRow { row, number: row }).collect();
    let (mut out, mut done) = (vec![f32::NAN; rows * dimension], 0);
    let read = segment.read(&wanted, &mut out, &mut done);
    assert_eq!(read.is_ok(), checked.is_ok(), "a run and a check find the same");
    let given = out[..done * dimension].iter().flat_map(|value| value.to_le_bytes());
    assert!(given.eq(bytes[offset..].iter().copied().take(done * dimension * 4)), "rows are the file's");
    match read {
        Ok(()) => format!("ok {} {}", rows.min(9), dimension.min(9)),
        Err(error) => format!("{} after {}", kind(&error.to_string()), done.min(9)),
    }
}

/// Every key is found, where it stands last.
fn look_up(keys: &[Key]) {
    let mut index = Index::default();
    index.expect(keys.len());
    index.add(3, keys.to_vec());
    let last: HashMap<Key, u32> = keys.iter().copied().zip(0..).collect();
    for (key, row) in last {
        assert_eq!(index.get(&key), Some(RowPlace { segment: 3, row }));
    }
}

fn file() -> &'static Path {
    static FOLDER: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, file) = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("entry.rows");
        (folder, file)
    });
    file
}

#[test]
fn the_corpus_is_what_the_host_writes() {
    for (name, rows, dimension, rows_per_block) in
        [("none", 0, 3, 5), ("one", 1, 4, 4096), ("blocks", 7, 3, 2)]
    {
        let values: Vec<u8> =
            (0..rows * dimension).flat_map(|value| (value as f32 - 1.5).to_le_bytes()).collect();
        let texts: Vec<String> = (0..rows).map(|row| format!("text {row}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let identity = *blake3::hash(b"model").as_bytes();
        let keys = Key::of_texts(&identity, 0, "", &texts);
        let checksums = values.chunks(rows_per_block * dimension * 4).map(checksum).collect();
        let head = SegmentHead { identity, dimension, rows_per_block, keys, checksums };
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fuzz/corpus/cache/{name}.rows"));
        let written = [head.to_bytes(), values].concat();
        assert!(fs::read(&file).unwrap() == written, "{} is of another form", file.display());
    }
}
