//! Bytes of a file as memory, text in them, and strings that lie back to back: the one place where
//! the compiler must take our word.
#![allow(unsafe_code, reason = "mapping a file; see each block")]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

use crate::utf8::is_utf8;

/// Bytes of a file, mapped.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// The `bytes` of `file`, which must lie within it.
    ///
    /// # Errors
    /// If the file is shorter, or the system does not map it.
    pub fn new(file: &File, bytes: Range<u64>) -> io::Result<Self> {
        if bytes.start > bytes.end || bytes.end > file.metadata()?.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::try_from(bytes.end - bytes.start).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: a mapped file must neither change nor shrink. Records are written under a temporary name by one
        // process, renamed when they are whole, and never opened for writing again: what makes room or is damaged is
        // unlinked, which leaves an open map as it is. Records that another process hands over lie in memory files that
        // are sealed against both. The length was compared with the file's just now.
        Ok(Self(unsafe { MmapOptions::new().offset(bytes.start).len(length).map(file)? }))
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// A part of a map that is UTF-8.
#[derive(Clone, Debug)]
pub struct MappedStr {
    map: Arc<Map>,
    bytes: Range<usize>,
}

impl MappedStr {
    /// The text at `bytes`; `None` if it does not lie in the map, or is no UTF-8.
    pub fn new(map: Arc<Map>, bytes: Range<usize>) -> Option<Self> {
        map.get(bytes.clone()).is_some_and(is_utf8).then_some(Self { map, bytes })
    }
}

impl Deref for MappedStr {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: the bytes were found to be UTF-8 when this was made, and the map does not change (see `Map::new`).
        unsafe { std::str::from_utf8_unchecked(&self.map[self.bytes.clone()]) }
    }
}

/// Bytes of an offset.
const OFFSET: usize = size_of::<u64>();

/// A list of strings in a map, shared by its clones.
#[derive(Clone, Debug)]
pub struct MappedTexts {
    bytes: MappedStr,
    map: Arc<Map>,
    /// Where the offsets lie.
    ends: Range<usize>,
}

impl MappedTexts {
    /// The strings whose `bytes` and `ends` (`u64`, little-endian) lie so in `map`; `None` if the bytes are no UTF-8,
    /// or the ends do not divide them into strings.
    pub fn new(map: &Arc<Map>, bytes: Range<usize>, ends: Range<usize>) -> Option<Self> {
        map.get(ends.clone()).filter(|ends| ends.len() % OFFSET == 0)?;
        let bytes = MappedStr::new(Arc::clone(map), bytes)?;
        let texts = Self { bytes, map: Arc::clone(map), ends };
        let mut start = 0;
        for end in (0..texts.len()).map(|index| texts.end(index)) {
            if end < start || !texts.bytes.is_char_boundary(end) {
                return None;
            }
            start = end;
        }
        (start == texts.bytes.len()).then_some(texts)
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len() / OFFSET
    }

    /// All strings back to back.
    pub fn bytes(&self) -> &str {
        &self.bytes
    }

    /// Where the string at `index` ends in [`Self::bytes`].
    pub fn end(&self, index: usize) -> usize {
        let offset = &self.map[self.ends.clone()][index * OFFSET..][..OFFSET];
        offset.try_into().map_or(0, u64::from_le_bytes) as usize
    }
}
