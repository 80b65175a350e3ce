//! Bytes as text: what is no UTF-8 is said with its line.

use std::str::Utf8Error;

use rayon::prelude::*;

use crate::DataError;

/// Bytes that one thread takes at a time.
const CHUNK: usize = 1 << 20;

/// The text in `bytes`.
///
/// # Errors
/// If the bytes are no UTF-8.
pub fn utf8<'a>(place: &str, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        not_utf8(&format!("{place}, line {line}"), bytes, error)
    })
}

/// True if `bytes` are UTF-8; all threads look at them.
pub fn is_utf8(bytes: &[u8]) -> bool {
    // Where a chunk would begin within a character, it begins with that character.
    let begin = |at: usize| (at.saturating_sub(3)..=at).rev().find(|&at| !is_continuation(bytes[at]));
    let begins: Option<Vec<usize>> = (0..bytes.len()).step_by(CHUNK).map(begin).collect();
    let Some(begins) = begins else { return false };
    (0..begins.len()).into_par_iter().all(|chunk| {
        let end = begins.get(chunk + 1).copied().unwrap_or(bytes.len());
        bytes.get(begins[chunk]..end).is_some_and(|chunk| std::str::from_utf8(chunk).is_ok())
    })
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The fault that `bytes` at `place` are no UTF-8.
pub fn not_utf8(place: &str, bytes: &[u8], error: Utf8Error) -> DataError {
    let message = if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        "expected UTF-8 text, found UTF-32; save the file as UTF-8".to_owned()
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        "expected UTF-8 text, found UTF-16; save the file as UTF-8, or name its encoding in the card: `encoding = \"utf-16\"` in `[dataset]`".to_owned()
    } else {
        let found = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        format!(
            "expected UTF-8 text, found the byte 0x{found:02x}; save the file as UTF-8, or name its encoding in \
             the card, such as `encoding = \"windows-1252\"` in `[dataset]`"
        )
    };
    DataError::Malformed { place: place.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_checked_across_the_bounds_of_chunks() {
        for shift in 0..4 {
            let text = "a".repeat(CHUNK - shift) + "€🦀é" + &"é".repeat(CHUNK);
            assert!(is_utf8(text.as_bytes()), "{shift}");
            for place in [CHUNK - 1, CHUNK, CHUNK + 5, text.len() - 1] {
                let mut bytes = text.clone().into_bytes();
                bytes[place] = 0xff;
                assert!(!is_utf8(&bytes), "{shift}, {place}");
            }
        }
        assert!(is_utf8(b""));
        assert!(!is_utf8(&[0x80]) && !is_utf8(&vec![0xa0; CHUNK + 9]));
    }
}
