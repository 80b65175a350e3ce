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
