//! Strings that lie back to back in a map.

use std::ops::Range;
use std::sync::Arc;

use super::map::{Map, MappedStr};

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
