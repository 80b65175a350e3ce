//! The head of a segment file: whose rows it holds, their keys, and a checksum for each block of rows.
//!
//! Little-endian: `MTEBROWS`, version, dimension, rows, rows per block (`u32` each), hash of the model identity (32 bytes), keys (16
//! bytes a row), block checksums (16 bytes each), then the hash of all of that (32 bytes). The rows follow as `f32`.
//! Checksums and hashes are BLAKE3.

use std::io::{self, Read};

use super::key::{KEY_BYTES, Key, short};

/// The first bytes of a segment.
pub const MAGIC: [u8; 8] = *b"MTEBROWS";
const VERSION: u32 = 1;
const FIXED: usize = MAGIC.len() + 4 * 4 + HASH_BYTES;
const HASH_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 16;

/// Bytes of a block, roughly: what is read and checked to get at one row.
const BLOCK_BYTES: usize = 1 << 16;

/// Checksum of one block of rows.
pub type Checksum = [u8; CHECKSUM_BYTES];

/// What stands before the rows of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentHead {
    /// Hash of the model identity.
    pub identity: [u8; HASH_BYTES],
    /// Numbers a row.
    pub dimension: usize,
    /// Rows a block; the last block may be shorter.
    pub rows_per_block: usize,
    /// Key of each row.
    pub keys: Vec<Key>,
    /// Checksum of each block.
    pub checksums: Vec<Checksum>,
}

/// Why a segment cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// The file is not what was written.
    #[error("expected {expected}, found {found}")]
    Damaged {
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl SegmentHead {
    /// The head of a segment with these keys and rows.
    pub fn new(identity: [u8; HASH_BYTES], dimension: usize, keys: Vec<Key>, rows: &[u8]) -> Self {
        let row_bytes = dimension * size_of::<f32>();
        let rows_per_block = (BLOCK_BYTES / row_bytes.max(1)).max(1);
        let checksums = rows.chunks(rows_per_block * row_bytes).map(checksum).collect();
        Self { identity, dimension, rows_per_block, keys, checksums }
    }

    /// The head as it stands in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.rows_offset() as usize);
        bytes.extend(MAGIC);
        for number in [VERSION as usize, self.dimension, self.keys.len(), self.rows_per_block] {
            bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(self.identity);
        self.keys.iter().for_each(|key| bytes.extend(key.0));
        self.checksums.iter().for_each(|checksum| bytes.extend(checksum));
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }

    /// Reads the head of a file of `length` bytes. The length is checked before anything is kept, so that a
    /// damaged count cannot ask for more memory than the file is long.
    ///
    /// # Errors
    /// If the file cannot be read, or any part of the head is not as it was written.
    pub fn read(file: &mut impl Read, length: u64) -> Result<Self, SegmentError> {
        let mut bytes = vec![0; FIXED];
        if length < FIXED as u64 {
            return Err(damaged(format!("a file of at least {FIXED} bytes"), length));
        }
        file.read_exact(&mut bytes)?;
        let number = |place: usize| {
            let at = MAGIC.len() + 4 * place;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
        };
        let [version, dimension, rows, rows_per_block] = [number(0), number(1), number(2), number(3)];
        if bytes[..MAGIC.len()] != MAGIC || version != VERSION as usize {
            return Err(damaged("a segment of embeddings, version 1".to_owned(), "something else"));
        }
        if rows_per_block == 0 {
            return Err(damaged("at least 1 row a block".to_owned(), 0));
        }
        let blocks = rows.div_ceil(rows_per_block);
        let rest = rows * KEY_BYTES + blocks * CHECKSUM_BYTES + HASH_BYTES;
        let expected = (FIXED + rest) as u128 + rows as u128 * dimension as u128 * size_of::<f32>() as u128;
        if u128::from(length) != expected {
            return Err(damaged(format!("{expected} bytes"), length));
        }
        // A file may have holes, and be longer than any memory.
        mteb_files::check_room::<u8>(FIXED + rest)?;
        bytes.resize(FIXED + rest, 0);
        file.read_exact(&mut bytes[FIXED..])?;
        let (content, hash) = bytes.split_at(bytes.len() - HASH_BYTES);
        if blake3::hash(content).as_bytes() != hash {
            return Err(damaged("the head's own checksum".to_owned(), "another one"));
        }
        let mut identity = [0; HASH_BYTES];
        identity.copy_from_slice(&content[FIXED - HASH_BYTES..FIXED]);
        let (keys, checksums) = content[FIXED..].split_at(rows * KEY_BYTES);
        Ok(Self {
            identity,
            dimension,
            rows_per_block,
            keys: keys.as_chunks().0.iter().copied().map(Key).collect(),
            checksums: checksums.as_chunks().0.to_vec(),
        })
    }

    /// Where the rows begin in the file.
    pub fn rows_offset(&self) -> u64 {
        let lists = self.keys.len() * KEY_BYTES + self.checksums.len() * CHECKSUM_BYTES;
        (FIXED + lists + HASH_BYTES) as u64
    }
}

/// Checksum of a block's bytes.
pub fn checksum(block: &[u8]) -> Checksum {
    short(blake3::hash(block))
}

/// An error that says what should be there and what is.
pub fn damaged(expected: String, found: impl ToString) -> SegmentError {
    SegmentError::Damaged { expected, found: found.to_string() }
}
