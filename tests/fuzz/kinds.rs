//! What readers are fed with, and what kinds of errors they answer with.

use std::fs;
use std::path::Path;

/// A file system may wait for the disk where a file is written over.
pub fn write_anew(file: &Path, input: &[u8]) {
    let _ = fs::remove_file(file);
    fs::write(file, input).unwrap();
}

/// An error without what it quotes from the input.
pub fn kind(message: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for character in message.chars().take(200) {
        match character {
            '`' | '"' | '\'' => quoted = !quoted,
            _ if quoted || character.is_ascii_digit() => {}
            ':' if kind.len() > 60 => break,
            _ => kind.push(character),
        }
    }
    kind
}

/// Bytes before a frame.
const HEAD: usize = 32;

/// The frames of `input` with checksums that fit, so that what stands behind the checksum is reached.
pub fn with_checksums(input: &[u8]) -> Vec<u8> {
    let (mut fitting, mut place) = (input.to_vec(), 0);
    while let Some(frame) = fitting.get_mut(place..).filter(|frame| frame.len() >= HEAD) {
        let word = |index: usize| u64::from_le_bytes(*frame[8 * index..].first_chunk().unwrap());
        let length = word(1).saturating_add(word(2)).saturating_add(HEAD as u64);
        let Some(frame) = usize::try_from(length).ok().and_then(|length| frame.get_mut(..length)) else {
            break;
        };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&frame[..HEAD - 8]);
        hasher.update(&frame[HEAD..]);
        frame[HEAD - 8..HEAD].copy_from_slice(&u64::from(hasher.finalize()).to_le_bytes());
        place += frame.len();
    }
    fitting
}
