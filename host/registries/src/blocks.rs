//! Blocks of texts, each unpacked when the first text in it is asked for.

use std::sync::OnceLock;

/// Where a text lies.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Number of the block.
    pub block: usize,
    /// First byte in the unpacked block.
    pub start: usize,
    /// Bytes.
    pub length: usize,
}

/// Compressed blocks, one behind the other.
#[derive(Debug)]
pub struct Blocks<const COUNT: usize> {
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
        let unpacked = block.and_then(|(bytes, length)| zstd::bulk::decompress(bytes, length).ok());
        unpacked.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}
