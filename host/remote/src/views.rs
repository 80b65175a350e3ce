//! Decodes the escapes and character codes of a text, in which a key may be hidden.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// A reading of a text.
#[derive(Clone, Debug)]
pub struct View {
    /// What it says.
    pub text: String,
    /// Where each byte of that stands in the text.
    pub places: Vec<Range<usize>>,
}

/// How often escapes of escapes are read.
const LEVELS: usize = 4;

/// Digits in a row from which on they may be many codes.
const LONG: usize = 16;

/// Most letters of the digits of a code, and of what may stand before them.
const MOST_DIGITS: usize = 12;

/// The readings of a text that say something else than it does.
pub fn views(text: &str) -> Vec<View> {
    let mut views = Vec::new();
    let plain = View { text: text.to_owned(), places: (0..text.len()).map(|at| at..at + 1).collect() };
    views.extend(codes(&plain));
    let mut last = plain;
    for _ in 0..LEVELS {
        let next = unescaped(&last);
        if next.text == last.text {
            break;
        }
        views.extend(codes(&next));
        views.push(next.clone());
        last = next;
    }
    views
}

impl View {
    fn new() -> Self {
        Self { text: String::new(), places: Vec::new() }
    }

    fn push(&mut self, letter: char, place: &Range<usize>) {
        self.text.push(letter);
        self.places.resize(self.text.len(), place.clone());
    }

    /// Where what is said from `begin` to `end` stands in the text.
    fn place(&self, begin: usize, end: usize) -> Range<usize> {
        self.places[begin].start..self.places[end - 1].end
    }
}

/// The same text with its escapes read, and its wide letters as usual ones.
fn unescaped(view: &View) -> View {
    let (mut read, mut place) = (View::new(), 0);
    while let Some(letter) = view.text[place..].chars().next() {
        let (letter, length) = escape(&view.text[place..]).unwrap_or((usual(letter), letter.len_utf8()));
        read.push(letter, &view.place(place, place + length));
        place += length;
    }
    read
}

/// A letter in another form (wide, as East Asian writing has it, bold, in a circle or brackets,
/// raised, with an accent) as the usual one.
fn usual(letter: char) -> char {
    if letter.is_ascii() {
        return letter;
    }
    if let Some(usual) = alike(letter) {
        return usual;
    }
    let mut letters = std::iter::once(letter).nfkd().filter(char::is_ascii_alphanumeric);
    match (letters.next(), letters.next()) {
        (Some(usual), None) => usual,
        _ => letter,
    }
}

/// The Latin letter that looks like a Greek one, and letters of flags, on black circles and
/// squares, and small capitals, which Unicode does not lead back to it.
fn alike(letter: char) -> Option<char> {
    const GREEK: (&str, &str) = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοικν", "ABEZHIKMNOPTYXoikv");
    const SMALL: (&str, &str) = ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ");
    const ROWS: [u32; 4] = [0x1_F1E6, 0x1_F150, 0x1_F170, 0x1_F130];
    for (others, usual) in [GREEK, SMALL] {
        if let Some(place) = others.chars().position(|other| other == letter) {
            return usual.chars().nth(place);
        }
    }
    let place = ROWS.iter().map(|first| u32::from(letter).wrapping_sub(*first)).find(|place| *place < 26)?;
    char::from_u32(u32::from('A') + place)
}

/// The bytes of a sequence of a terminal at the begin of `text`, which shows nothing.
fn terminal_sequence(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|letter: char| ('@'..='~').contains(&letter))?;
    rest[..end].bytes().all(|byte| (b' '..=b'?').contains(&byte)).then_some("\u{1b}[".len() + end + 1)
}

/// The character that an escape at the begin of `text` stands for, and the bytes of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    if let Some(length) = terminal_sequence(text) {
        return Some((' ', length));
    }
    // The begin, the base, the digits at least and at most, and what may stand at the end.
    const FORMS: [(&str, u32, usize, usize, &str); 14] = [
        ("&#x", 16, 1, 8, ";"),
        ("&#X", 16, 1, 8, ";"),
        ("&#", 10, 1, 8, ";"),
        ("\\u{", 16, 1, 6, "}"),
        ("\\x{", 16, 1, 6, "}"),
        ("\\u", 16, 4, 4, ""),
        ("\\U", 16, 8, 8, ""),
        ("\\x", 16, 2, 2, ""),
        ("\\o", 8, 3, 3, ""),
        ("\\", 8, 3, 3, ""),
        ("%u", 16, 4, 4, ""),
        ("%", 16, 2, 2, ""),
        ("=", 16, 2, 2, ""),
        ("U+", 16, 4, 6, ""),
    ];
    for (words, letter) in
        [("&amp;", '&'), ("\\\\", '\\'), ("&num;", '#'), ("&percnt;", '%'), ("&bsol;", '\\')]
    {
        if text.starts_with(words) {
            return Some((letter, words.len()));
        }
    }
    FORMS.iter().find_map(|&(begin, base, least, most, end)| {
        let rest = text.strip_prefix(begin)?;
        let digits = rest.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(base)).count();
        let letter = u32::from_str_radix(&rest[..digits], base).ok().and_then(char::from_u32)?;
        let closed = if rest[digits..].starts_with(end) { end.len() } else { 0 };
        (digits >= least).then_some((letter, begin.len() + digits + closed))
    })
}

/// The texts that numbers of a text say as codes of characters, in each base; and long rows of
/// digits as many codes.
fn codes(view: &View) -> Vec<View> {
    let words = words(&view.text);
    let mut found = Vec::new();
    for base in [2, 8, 10, 16] {
        let mut said = View::new();
        for word in &words {
            let digits = digits(&view.text[word.clone()], base);
            let code = digits.and_then(|digits| u32::from_str_radix(digits, base).ok()).and_then(printable);
            if let Some(letter) = code {
                said.push(letter, &view.place(word.start, word.end));
            }
        }
        found.push(said);
    }
    for word in words.into_iter().filter(|word| word.len() >= LONG) {
        let digits = &view.text[word.clone()];
        for (base, width) in [(2, 8), (2, 7), (8, 3), (10, 3), (10, 0)] {
            if digits.bytes().all(|byte| char::from(byte).is_digit(base)) {
                found.extend((0..width.max(3)).map(|begin| row(view, &word, begin, base, width)));
            }
        }
    }
    found.retain(|said| !said.text.is_empty());
    found
}

/// The codes in a row of digits from its digit `begin` on, of `width` digits each; where that is
/// none, of two, or three if they begin with a one.
fn row(view: &View, word: &Range<usize>, begin: usize, base: u32, width: usize) -> View {
    let (mut said, mut place) = (View::new(), word.start + begin);
    while place < word.end {
        let length = match width {
            0 if view.text[place..].starts_with('1') => 3,
            0 => 2,
            width => width,
        };
        let end = (place + length).min(word.end);
        let letter = u32::from_str_radix(&view.text[place..end], base).ok().and_then(printable);
        // What is no code is no part of a key either.
        said.push(letter.unwrap_or(' '), &view.place(place, end));
        place = end;
    }
    said
}

/// The digits of a word that is a number in a base, without what says the base.
fn digits(word: &str, base: u32) -> Option<&str> {
    let begins: &[&str] = match base {
        2 => &["0b", "b"],
        8 => &["0o", "o"],
        16 => &["0x", "x", "u"],
        _ => &[],
    };
    let digits = begins.iter().find_map(|begin| word.strip_prefix(begin)).unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| char::from(byte).is_digit(base));
    (is_number && digits.len() <= MOST_DIGITS).then_some(digits)
}

fn printable(code: u32) -> Option<char> {
    char::from_u32(code).filter(|letter| letter.is_ascii_graphic())
}

/// The words of letters and digits in a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (place, byte) in text.bytes().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            continue;
        }
        match words.last_mut() {
            Some(word) if word.end == place => word.end = place + 1,
            _ => words.push(place..place + 1),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_others_are_left() {
        let said = |text: &str| views(text).into_iter().map(|view| view.text).collect::<Vec<_>>();
        assert!(said("&#97;%62\\u0063\\x64").contains(&"abcd".to_owned()));
        assert!(said("&amp;#97;").contains(&"a".to_owned()), "of an escape");
        assert!(said("97, 0x62 and 99").iter().any(|text| text == "ac"));
        assert_eq!(said("100 % of ß, & all \\ that"), ["@", "d", ""].map(str::to_owned)[..2].to_vec());
    }

    #[test]
    fn letters_in_other_forms_and_between_colours_are_read() {
        let plain = |text: &str| {
            unescaped(&View { text: text.to_owned(), places: (0..text.len()).map(|at| at..at + 1).collect() })
                .text
        };
        assert_eq!(plain("ΑΒΖ ḱá ᴋᴇʏ ⒦ 🇰🅚🅺🄺 ３٣"), "ABZ ka KEY k KKKK 3٣");
        assert_eq!(plain("s\u{1b}[0mk\u{1b}[1;31m-"), "s k -");
    }

    #[test]
    fn each_byte_of_a_reading_has_its_place() {
        let text = "é&#233;x";
        let view = unescaped(&View {
            text: text.to_owned(),
            places: (0..text.len()).map(|at| at..at + 1).collect(),
        });
        assert_eq!((view.text.as_str(), view.places.len()), ("eéx", 4));
        assert_eq!((&view.places[1], &view.places[3]), (&(2..8), &(8..9)));
    }
}
