//! What of a key stands in a text: servers repeat keys whole, shortened, in pieces, in another case or in another writing.

use std::collections::HashSet;
use std::ops::Range;

use crate::pieces::{Pieces, writings};
use crate::views::{View, views};

/// What stands in messages in place of a key.
pub const HIDDEN: &str = "[key]";

/// Characters that a word must share with the begin of a key to be taken for a part of it.
const BEGIN: usize = 6;

/// Letters and digits in a row that are taken for a part of a key wherever they stand.
const SHARED: usize = 8;

/// Bytes between two codes of characters that are hidden with them.
const BETWEEN: usize = 16;

/// Characters at an end of a key by which a word with stars or dots is known for a shortened key.
const END: usize = 3;

/// The parts of a key, in the writings in which they are looked for.
#[derive(Clone)]
pub struct Traces {
    key: String,
    pieces: Pieces,
    /// All rows of [`SHARED`] letters and digits of the writings; empty for a key that has fewer.
    parts: HashSet<[u8; SHARED]>,
}

impl Traces {
    /// The traces that `key` may leave.
    pub fn of(key: &str) -> Self {
        let mut parts = HashSet::new();
        if plain(key.as_bytes()).len() >= SHARED {
            for writing in writings(key.as_bytes()) {
                let mut writing = plain(&writing);
                for _ in 0..2 {
                    parts.extend(
                        writing.windows(SHARED).filter_map(|part| <[u8; SHARED]>::try_from(part).ok()),
                    );
                    writing.reverse();
                }
            }
        }
        let pieces = Pieces::of(&if parts.is_empty() { Vec::new() } else { plain(key.as_bytes()) });
        Self { key: key.to_owned(), pieces, parts }
    }

    /// `text` with [`HIDDEN`] in place of each word in which a trace stands, be it in `text` or in what its escapes and its codes of
    /// characters say.
    pub fn removed_from(&self, text: &str) -> String {
        if self.key.is_empty() {
            return text.to_owned();
        }
        let mut hidden = vec![false; text.len()];
        self.hide(text, &mut hidden);
        for View { text: said, places } in views(text) {
            let mut found = vec![false; said.len()];
            self.hide(&said, &mut found);
            let found = places.into_iter().zip(found).filter(|(_, is_found)| *is_found);
            for place in joined(found.map(|(place, _)| place)) {
                hide_words(text.as_bytes(), place.start, place.end, &mut hidden);
            }
        }
        let mut clean = String::with_capacity(text.len());
        let mut was_hidden = false;
        for (place, character) in text.char_indices() {
            match (hidden[place], was_hidden) {
                (true, false) => clean.push_str(HIDDEN),
                (true, true) => {}
                (false, _) => clean.push(character),
            }
            was_hidden = hidden[place];
        }
        clean
    }

    fn hide(&self, text: &str, hidden: &mut [bool]) {
        self.hide_whole(text, hidden);
        self.hide_parts(text, hidden);
        self.pieces.hide(text, hidden);
        self.hide_shortened(text, hidden);
    }

    /// The key itself, in any case; a short one only as a word of its own, as it may be part of other words.
    fn hide_whole(&self, text: &str, hidden: &mut [bool]) {
        let (bytes, key) = (text.as_bytes(), self.key.as_bytes());
        let is_short = self.parts.is_empty();
        let is_part_of_word = |byte: Option<&u8>| is_short && byte.is_some_and(u8::is_ascii_alphanumeric);
        let mut place = 0;
        while place + key.len() <= bytes.len() {
            let end = place + key.len();
            let before = place.checked_sub(1).and_then(|before| bytes.get(before));
            if bytes[place..end].eq_ignore_ascii_case(key)
                && !is_part_of_word(before)
                && !is_part_of_word(bytes.get(end))
            {
                hidden[place..end].fill(true);
                place = end;
            } else {
                place += 1;
            }
        }
    }

    /// Letters and digits in a row that the key has too, whatever stands between them; with the rest of their word.
    fn hide_parts(&self, text: &str, hidden: &mut [bool]) {
        if self.parts.is_empty() {
            return;
        }
        let bytes = text.as_bytes();
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_alphanumeric()).collect();
        let letters: Vec<u8> = places.iter().map(|&at| bytes[at].to_ascii_lowercase()).collect();
        for (number, part) in letters.windows(SHARED).enumerate() {
            if self.parts.contains(part) {
                hide_words(bytes, places[number], places[number + SHARED - 1] + 1, hidden);
            }
        }
    }

    /// Words that begin as the key does, and words with stars or dots that begin or end as it does.
    fn hide_shortened(&self, text: &str, hidden: &mut [bool]) {
        let key = plain(self.key.as_bytes());
        if key.len() < SHARED {
            return;
        }
        let begin = self.key.as_bytes().get(..BEGIN).unwrap_or_default().to_ascii_lowercase();
        let bytes = text.as_bytes();
        let mut place = 0;
        while place < bytes.len() {
            if bytes[place..].len() >= BEGIN && bytes[place..place + BEGIN].eq_ignore_ascii_case(&begin) {
                hide_words(bytes, place, place + BEGIN, hidden);
            }
            place += 1;
        }
        for (at, word) in words(text) {
            let is_shortened = ["**", "...", "…", "••"].iter().any(|mark| word.contains(mark));
            let letters = plain(word.as_bytes());
            if is_shortened
                && (letters.ends_with(&key[key.len() - END..]) || letters.starts_with(&key[..END]))
            {
                hidden[at..at + word.len()].fill(true);
            }
        }
    }
}

/// The letters and digits of a text, in lower case.
fn plain(text: &[u8]) -> Vec<u8> {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}

/// Ascending places, those as one that are close to each other.
fn joined(places: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start <= last.end + BETWEEN => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
}

/// Hides what stands from `begin` to `end`, and the rest of the words there.
fn hide_words(bytes: &[u8], begin: usize, end: usize, hidden: &mut [bool]) {
    // Of a word without end that repeats a key each part would hide it all anew.
    if hidden[begin..end].iter().all(|is_hidden| *is_hidden) {
        return;
    }
    let is_of_begin = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_*.+/%".contains(byte);
    let is_of_end = |byte: &&u8| !byte.is_ascii_whitespace() && !b"\"'`,;<>(){}".contains(byte);
    let begin = begin - bytes[..begin].iter().rev().take_while(is_of_begin).count();
    let end = end + bytes[end..].iter().take_while(is_of_end).count();
    hidden[begin..end].fill(true);
}

/// The words of a text, each with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_end = |character: char| character.is_whitespace() || "\"'`,;<>(){}:=".contains(character);
    let begin = text.as_ptr() as usize;
    text.split(is_end).map(move |word| (word.as_ptr() as usize - begin, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-test-0123456789abcdef";

    fn clean(text: &str) -> String {
        Traces::of(KEY).removed_from(text)
    }

    #[test]
    fn a_key_is_removed_whole_and_shortened() {
        let said = "Incorrect API key provided: sk-test-*******cdef. (sent: \"sk-test-0123456789abcdef\")";
        assert_eq!(clean(said), "Incorrect API key provided: [key] (sent: \"[key]\")");
        assert_eq!(clean("key=...cdef, key: sk-t…"), "key=[key], key: [key]");
    }

    #[test]
    fn a_part_of_a_key_is_removed_in_every_simple_writing() {
        let backwards: String = KEY.chars().rev().collect();
        let spaced: Vec<String> = KEY.chars().map(String::from).collect();
        let hex: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
        let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
        for (what, written) in [
            ("the begin cut", KEY[5..].to_owned()),
            ("both ends cut", KEY[8..18].to_owned()),
            ("capitals", KEY.to_uppercase()),
            ("backwards", backwards.clone()),
            ("backwards in capitals", backwards.to_uppercase()),
            ("a part backwards", backwards[2..12].to_owned()),
            ("spaced", spaced.join(" ")),
            ("dotted", spaced.join(".")),
            ("hexadecimal", hex),
            ("for addresses", percent),
            // What `base64` of the GNU core utilities gives of the key, of `Bearer KEY` and of `user:KEY`.
            ("base64", "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm".to_owned()),
            ("base64 behind `Bearer `", "QmVhcmVyIHNrLXRlc3QtMDEyMzQ1Njc4OWFiY2RlZg==".to_owned()),
            ("base64 behind `user:`", "dXNlcjpzay10ZXN0LTAxMjM0NTY3ODlhYmNkZWY=".to_owned()),
            ("base64 in small letters", "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm".to_lowercase()),
            // What `base32` of the GNU core utilities gives of the key, and of `Bearer KEY`.
            ("base32", "ONVS25DFON2C2MBRGIZTINJWG44DSYLCMNSGKZQ=".to_owned()),
            (
                "base32 behind `Bearer `",
                "IJSWC4TFOIQHG2ZNORSXG5BNGAYTEMZUGU3DOOBZMFRGGZDFMY======".to_owned(),
            ),
            ("base32 in small letters", "onvs25dfon2c2mbrgiztinjwg44dsylcmnsgkzq".to_owned()),
        ] {
            let said = clean(&format!("I saw {written} there"));
            assert!(said.starts_with("I saw [key]") && said.ends_with(" there"), "{what}: {said}");
            assert!(!said.contains(&written[written.len() / 2..]), "{what}: {said}");
        }
    }

    /// Each letter of the key by `write`, with `between` between them.
    fn written(write: impl Fn(u32) -> String, between: &str) -> String {
        KEY.chars().map(|letter| write(letter.into())).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn a_key_in_escapes_and_in_codes_of_characters_is_removed() {
        let rotated = |code: u32| {
            let letter = char::from_u32(code).unwrap();
            let base = if letter.is_ascii_uppercase() { b'A' } else { b'a' };
            let by_13 = |letter: char| char::from((letter as u8 - base + 13) % 26 + base);
            if letter.is_ascii_alphabetic() { by_13(letter).to_string() } else { letter.to_string() }
        };
        let wide = |code: u32| char::from_u32(code + 0xFEE0).unwrap().to_string();
        let bold = |code: u32| {
            let letter = char::from_u32(code).unwrap();
            let moved = match letter {
                'a'..='z' => 0x1D41A + (code - 'a' as u32),
                '0'..='9' => 0x1D7CE + (code - '0' as u32),
                _ => code,
            };
            char::from_u32(moved).unwrap().to_string()
        };
        // Every second letter alone is written by its code, as most encoders leave letters as they are.
        let percent = |code: u32| match code % 2 {
            0 => format!("%{code:02X}"),
            _ => char::from_u32(code).unwrap().to_string(),
        };
        for (what, written) in [
            ("decimal entities", written(|code| format!("&#{code};"), "")),
            ("hexadecimal entities", written(|code| format!("&#x{code:X};"), "")),
            ("entities without an end", written(|code| format!("&#{code:07}"), "")),
            ("entities of entities", written(|code| format!("&amp;#{code};"), "")),
            ("escapes of JSON", written(|code| format!("\\u{code:04x}"), "")),
            ("escapes of JSON twice", written(|code| format!("\\\\u{code:04x}"), "")),
            ("escapes of UTF-16 in addresses", written(|code| format!("%u{code:04X}"), "")),
            ("escapes of Rust", written(|code| format!("\\u{{{code:x}}}"), "")),
            ("escapes of C", written(|code| format!("\\x{code:02x}"), "")),
            ("octal escapes", written(|code| format!("\\{code:03o}"), "")),
            ("every second letter for addresses", written(percent, "")),
            ("for addresses twice", written(|code| format!("%25{code:02x}"), "")),
            ("for mail", written(|code| format!("={code:02X}"), "")),
            ("names of Unicode", written(|code| format!("U+{code:04X}"), " ")),
            ("a list of codes", format!("[{}]", written(|code| code.to_string(), ", "))),
            ("calls of chr", written(|code| format!("chr({code})"), "+")),
            ("codes without anything between", written(|code| code.to_string(), "")),
            ("codes of three digits", written(|code| format!("{code:03}"), "")),
            ("hexadecimal codes", written(|code| format!("0x{code:x}"), ", ")),
            ("octal codes", written(|code| format!("{code:o}"), " ")),
            ("binary codes", written(|code| format!("{code:08b}"), " ")),
            ("binary codes without anything between", written(|code| format!("{code:08b}"), "")),
            ("rotated by 13", written(rotated, "")),
            ("wide letters", written(wide, "")),
            ("bold letters, as formulas have them", written(bold, "")),
        ] {
            let said = clean(&format!("I saw {written} there"));
            assert!(said.starts_with("I saw ") && said.contains("[key]"), "{what}: {said}");
            assert!(said.ends_with(" there") && said.len() < 30, "{what}: {said}");
        }
    }

    #[test]
    fn a_key_in_pieces_is_removed() {
        for said in [
            "first sk-te then st-01 then 2345 and 6789, at last abcdef",
            "{\"a\": \"sk-t\", \"b\": \"est-\", \"c\": \"0123\", \"d\": \"4567\", \"e\": \"89ab\", \"f\": \"cdef\"}",
            "1. sk 2. test 3. 01234 4. 56789 5. abc 6. def",
            "at last abcdef before 456789 before 0123 before test- before sk",
        ] {
            let found = clean(said);
            for piece in ["st-01", "est-", "0123", "4567", "6789", "89ab", "cdef", "abc", "test"] {
                assert!(!found.contains(piece), "{piece}: {found}");
            }
        }
    }

    #[test]
    fn other_words_stay() {
        for said in [
            "expected rows, found none",
            "the test has 0123 of them",
            "naïve … é",
            "sk-te is short",
            "100% of &lt;b&gt; in \\u00e9 and 115 rows of 107, 45 and 116",
            "[3, 1, 4, 1, 5, 9, 2, 6, 5, 3], 3.14159265358979323846 and 20261128192345",
            "C:\\test\\x41 and U+1F600, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ] {
            assert_eq!(clean(said), said);
        }
        let short = Traces::of("EMPTY");
        assert_eq!(short.removed_from("emptying (EMPTY) empty"), "emptying ([key]) [key]");
    }
}
