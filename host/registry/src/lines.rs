//! Lines and columns of a text. Each is found without reading the text again, as a text may have very many faults.

/// Bytes between two places whose letters were counted.
const BLOCK: usize = 1024;

/// A text, and where its lines begin.
pub struct Lines<'a> {
    text: &'a str,
    /// The first byte of each line.
    starts: Vec<usize>,
    /// Letters before each block.
    letters: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`.
    pub fn of(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        let (mut letters, mut before) = (vec![0], 0);
        for block in text.as_bytes().chunks(BLOCK) {
            before += begun(block);
            letters.push(before);
        }
        Self { text, starts, letters }
    }

    /// The line and the column of a byte, both from 1; of the text's end, if it has no such byte.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        (line, self.letters_before(byte) - self.letters_before(start) + 1)
    }

    fn letters_before(&self, byte: usize) -> usize {
        let block = byte / BLOCK;
        let counted = self.letters.get(block).copied().unwrap_or_default();
        counted + begun(&self.text.as_bytes()[block * BLOCK..byte])
    }
}

/// How many letters begin in `bytes` of UTF-8.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As the definition has it.
    fn counted(text: &str, byte: usize) -> (usize, usize) {
        let before = &text[..text.floor_char_boundary(byte)];
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    proptest! {
        #[test]
        fn every_byte_has_the_line_and_the_column_that_counting_gives(text in "[aé\n😀]{0,3000}", byte in 0_usize..9000) {
            prop_assert_eq!(Lines::of(&text).position(byte), counted(&text, byte));
        }
    }
}
