//! What of a key stands in a text: servers repeat keys whole, shortened, in another case or in another writing.

use std::collections::HashSet;

/// What stands in messages in place of a key.
pub const HIDDEN: &str = "[key]";

/// Characters that a word must share with the begin of a key to be taken for a part of it.
const BEGIN: usize = 6;

/// Letters and digits in a row that are taken for a part of a key wherever they stand.
const SHARED: usize = 8;

/// Characters at an end of a key by which a word with stars or dots is known for a shortened key.
const END: usize = 3;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The parts of a key, in the writings in which they are looked for.
#[derive(Clone)]
pub struct Traces {
    key: String,
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
        Self { key: key.to_owned(), parts }
    }

    /// `text` with [`HIDDEN`] in place of each word in which a trace stands.
    pub fn removed_from(&self, text: &str) -> String {
        if self.key.is_empty() {
            return text.to_owned();
        }
        let mut hidden = vec![false; text.len()];
        self.hide_whole(text, &mut hidden);
        self.hide_parts(text, &mut hidden);
        self.hide_shortened(text, &mut hidden);
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

/// The key in the writings of which a part may stand in a text.
fn writings(key: &[u8]) -> Vec<Vec<u8>> {
    let backwards: Vec<u8> = key.iter().rev().copied().collect();
    let mut writings = vec![key.to_vec()];
    for bytes in [key, &backwards] {
        writings.push(bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect());
        writings.extend((0..3).map(|before| base64(bytes, before)));
    }
    writings
}

/// `bytes` in base64 as it is behind so many others, without the ends that depend on what stands beside them.
fn base64(bytes: &[u8], before: usize) -> Vec<u8> {
    let mut padded = vec![0; before];
    padded.extend_from_slice(bytes);
    let begin = (before * 8).div_ceil(6);
    let end = padded.len() * 8 / 6;
    let bit = |at: usize| padded[at / 8] >> (7 - at % 8) & 1;
    let digit = |place: usize| (place * 6..place * 6 + 6).fold(0, |digit, at| digit << 1 | bit(at));
    (begin..end).map(|place| BASE64[usize::from(digit(place))]).collect()
}

/// The letters and digits of a text, in lower case.
fn plain(text: &[u8]) -> Vec<u8> {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}

/// Hides what stands from `begin` to `end`, and the rest of the words there.
fn hide_words(bytes: &[u8], begin: usize, end: usize, hidden: &mut [bool]) {
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
        ] {
            let said = clean(&format!("I saw {written} there"));
            assert!(said.starts_with("I saw [key]") && said.ends_with(" there"), "{what}: {said}");
            assert!(!said.contains(&written[written.len() / 2..]), "{what}: {said}");
        }
    }

    #[test]
    fn other_words_stay() {
        for said in ["expected rows, found none", "the test has 0123 of them", "naïve … é", "sk-te is short"]
        {
            assert_eq!(clean(said), said);
        }
        let short = Traces::of("EMPTY");
        assert_eq!(short.removed_from("emptying (EMPTY) empty"), "emptying ([key]) [key]");
    }
}
