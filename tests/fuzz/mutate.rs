//! What readers are fed with: inputs damaged in bytes, lines, tokens, numbers, words of the format, pieces of
//! other inputs; and what kinds of errors they answer with.

use std::fs;
use std::ops::Range;
use std::path::Path;

use mteb_measures::random::SplitMix64;

/// Longest input that is made.
const MAX_LENGTH: usize = 1 << 16;

/// What readers of text stumble over.
const NASTY: [&[u8]; 22] = [
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\\ud800",
    b"\\udc00\\ud800",
    "\u{202e}\u{200f}\u{0301}\u{1f468}\u{200d}".as_bytes(),
    b"\x1b[2J",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"\"",
    b"{{[[((",
    b"-0",
    b"1e999",
    b"NaN",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"0.1e-400",
    b"null",
];

/// A damaged copy of `input`; `pool` gives pieces of other inputs, `words` those of the format.
pub fn mutate(input: &[u8], pool: &[Vec<u8>], words: &[&str], random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) {
        once(&mut bytes, pool, words, random);
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}

fn once(bytes: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str], random: &mut SplitMix64) {
    let at = random.below(bytes.len() + 1);
    match random.below(14) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        2 => replace(bytes, at..at, NASTY[random.below(NASTY.len())]),
        3 if !words.is_empty() => replace(bytes, at..at, random.pick(words).as_bytes()),
        4 => bytes.truncate(at),
        5 => {
            let piece = span(bytes.len(), 64, random);
            replace(bytes, piece, b"");
        }
        6 => {
            let copy = bytes[span(bytes.len(), 256, random)].repeat(1 + random.below(40));
            replace(bytes, at..at, &copy);
        }
        7 => {
            let other = &pool[random.below(pool.len())];
            let piece = &other[span(other.len(), 512, random)];
            replace(bytes, at..at, piece);
        }
        8 => with_line(bytes, random, |line, _| line.to_vec().repeat(2)),
        9 => with_line(bytes, random, |_, _| Vec::new()),
        10 => with_line(bytes, random, |line, random| line[..random.below(line.len() + 1)].to_vec()),
        11 | 12 => {
            let token = token_at(bytes, at);
            let new = if words.is_empty() || random.below(2) == 0 {
                NASTY[random.below(NASTY.len())]
            } else {
                random.pick(words).as_bytes()
            };
            replace(bytes, token, new);
        }
        _ => {
            let (first, second) = (token_at(bytes, at), random.below(bytes.len() + 1));
            let copy = bytes[token_at(bytes, second)].to_vec();
            replace(bytes, first, &copy);
        }
    }
}

fn replace(bytes: &mut Vec<u8>, range: Range<usize>, new: &[u8]) {
    bytes.splice(range, new.iter().copied());
}

fn span(length: usize, most: usize, random: &mut SplitMix64) -> Range<usize> {
    let start = random.below(length + 1);
    start..(start + random.below(most + 1)).min(length)
}

fn with_line(
    bytes: &mut Vec<u8>,
    random: &mut SplitMix64,
    change: impl Fn(&[u8], &mut SplitMix64) -> Vec<u8>,
) {
    let at = random.below(bytes.len() + 1);
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
    let new = change(&bytes[start..end], random);
    replace(bytes, start..end, &new);
}

/// The word or number around `at`, or the one byte there.
fn token_at(bytes: &[u8], at: usize) -> Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-+".contains(byte) || *byte > 127;
    let start = bytes[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |end| at + end);
    if start == end { at..(at + 1).min(bytes.len()) } else { start..end }
}

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
