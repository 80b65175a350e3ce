//! What a record says of its sections: written last, so that a file without it is no record.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The last bytes of a record.
pub const MAGIC: [u8; 8] = *b"MTEBTAB1";

/// Bytes of the trailer: offset and length of the head, its hash, the magic bytes.
pub const TRAILER: usize = 8 + 8 + 32 + MAGIC.len();

/// A head is small; a larger one is not read into memory.
const LARGEST: u64 = 1 << 28;

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// It cannot be read.
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// It is not what was written.
    #[error("{0}")]
    Damaged(String),
}

/// The pieces of a record.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Head {
    /// What the record is of.
    pub key: String,
    /// The pieces in the order in which they were read, the last one without rows.
    pub pieces: Vec<Piece>,
}

/// One table.
#[derive(Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Rows that were asked for.
    pub limit: u64,
    /// Rows that there were.
    pub rows: u64,
    /// The columns in order.
    pub columns: Vec<ColumnHead>,
    /// Columns that the file has beside these, and what they hold if that cannot be read.
    pub left_out: Vec<(String, Option<String>)>,
    /// True if rows are counted by lines.
    pub counts_lines: bool,
    /// First and last line of each row that may have swallowed others, and how many lines do not read as rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows_in_cells: Vec<[usize; 3]>,
    /// Runs of consecutive places: first row and its number in the file, `u64` each.
    pub places: Section,
}

/// One column.
#[derive(Debug, Serialize, Deserialize)]
pub struct ColumnHead {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: CellsHead,
}

/// The cells of a column by type.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellsHead {
    /// Strings.
    Text(TextsHead),
    /// `i64`
    Int(Section),
    /// `f64`
    Float(Section),
    /// Any cells, each written as JSON.
    Any(TextsHead),
}

/// Strings back to back.
#[derive(Debug, Serialize, Deserialize)]
pub struct TextsHead {
    /// UTF-8
    pub bytes: Section,
    /// Where each string ends in them, `u64`.
    pub ends: Section,
}

/// Consecutive bytes of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Section {
    /// Where it begins in the file.
    pub offset: u64,
    /// Its bytes.
    pub length: u64,
    /// Their checksum.
    pub checksum: String,
}

impl Head {
    /// Head and trailer of a file whose sections end at `offset`.
    ///
    /// # Errors
    /// Never for names that are UTF-8, as all are.
    pub fn to_bytes(&self, offset: u64) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        let (length, hash) = (bytes.len() as u64, blake3::hash(&bytes));
        bytes.extend(offset.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(hash.as_bytes());
        bytes.extend(MAGIC);
        Ok(bytes)
    }

    /// Reads the head of the record in `file`.
    ///
    /// # Errors
    /// If the file cannot be read, is cut, or is something else.
    pub fn read(file: &File) -> Result<Self, RecordFault> {
        let size = file.metadata()?.len();
        let damaged = || {
            RecordFault::Damaged(
                "expected a complete record of parsed rows, found it damaged or truncated".into(),
            )
        };
        let end = size.checked_sub(TRAILER as u64).ok_or_else(damaged)?;
        let mut trailer = [0; TRAILER];
        file.read_exact_at(&mut trailer, end)?;
        let number = |at: usize| trailer[at..at + 8].try_into().map(u64::from_le_bytes).unwrap_or_default();
        let (offset, length) = (number(0), number(8));
        if trailer[48..] != MAGIC || length > LARGEST || offset.checked_add(length) != Some(end) {
            return Err(damaged());
        }
        mteb_files::check_room::<u8>(length as usize)?;
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, offset)?;
        if trailer[16..48] != *blake3::hash(&bytes).as_bytes() {
            return Err(damaged());
        }
        serde_json::from_slice(&bytes).map_err(|_| damaged())
    }
}

impl Piece {
    /// All sections.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        std::iter::once(&self.places).chain(self.columns.iter().flat_map(ColumnHead::sections))
    }
}

impl ColumnHead {
    fn sections(&self) -> impl Iterator<Item = &Section> {
        let (first, second) = match &self.cells {
            CellsHead::Text(texts) | CellsHead::Any(texts) => (&texts.bytes, Some(&texts.ends)),
            CellsHead::Int(cells) | CellsHead::Float(cells) => (cells, None),
        };
        std::iter::once(first).chain(second)
    }
}

impl Section {
    /// The section that holds `bytes`, at `offset`.
    pub fn of(offset: u64, bytes: &[u8]) -> Self {
        Self { offset, length: bytes.len() as u64, checksum: checksum(bytes) }
    }
}

/// Bytes that one thread takes at a time.
const CHUNK: usize = 1 << 20;

/// The BLAKE3 hash of the BLAKE3 hashes of every [`CHUNK`] of `bytes`, in hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    let hashes: Vec<[u8; 32]> =
        bytes.par_chunks(CHUNK).map(|chunk| *blake3::hash(chunk).as_bytes()).collect();
    blake3::hash(hashes.as_flattened()).to_hex().to_string()
}
