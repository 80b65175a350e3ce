//! Blocks of texts, each unpacked when the first text in it is asked for.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::OnceLock;

use zstd::zstd_safe::DCtx;

/// About what the library asks for to unpack a block, beside the block.
const WORKSPACE: Layout = Layout::new::<[u8; 96 << 10]>();

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
pub struct Packed {
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
