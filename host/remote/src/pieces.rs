//! A key in pieces (words that follow each other in the key as they do in the text, with a few
//! other words between them), and in other writings: those that put digits of a few bits in the
//! place of bytes, as hexadecimal digits and base64, and those that exchange letters.

/// Letters and digits of all pieces together from which on they are no chance: of three and more pieces, and of two.
const OF_MANY: usize = 8;
const OF_TWO: usize = 12;

/// Most words of others between two pieces.
const BETWEEN: usize = 6;

/// Letters and digits of a key, forwards and backwards.
#[derive(Clone)]
pub struct Pieces {
    /// The second one has its pieces in the other order, each of them forwards.
    key: Vec<u8>,
}

/// A word of a text.
struct Word {
    begin: usize,
    letters: Vec<u8>,
}

/// A row of pieces that ends at a place of the key.
#[derive(Clone, Copy)]
struct Row {
    /// The number of its last word, and that of the row before it.
    word: usize,
    before: Option<usize>,
    pieces: usize,
    length: usize,
}

impl Pieces {
    /// The pieces of a key of these letters and digits, all small; none of an empty one.
    pub fn of(key: &[u8]) -> Self {
        Self { key: key.to_vec() }
    }

    /// Hides the pieces that stand in `text`.
    pub fn hide(&self, text: &str, hidden: &mut [bool]) {
        if self.key.is_empty() {
            return;
        }
        let words = words(text);
        for is_forwards in [true, false] {
            self.hide_rows(&words, is_forwards, hidden);
        }
    }

    fn is_no_chance(&self, Row { pieces, length, .. }: Row) -> bool {
        let least = if pieces > 2 { OF_MANY } else { OF_TWO };
        pieces > 1 && (length >= least || length == self.key.len())
    }

    /// Rows of pieces in the order of the key, or in the other one.
    fn hide_rows(&self, words: &[Word], is_forwards: bool, hidden: &mut [bool]) {
        let mut rows: Vec<Row> = Vec::new();
        // The latest row whose next piece begins, or ends, at each place of the key.
        let mut next: Vec<Option<usize>> = vec![None; self.key.len() + 1];
        for (number, Word { letters, .. }) in words.iter().enumerate() {
            if letters.len() > self.key.len() {
                continue;
            }
            let mut ended = Vec::new();
            for begin in 0..=self.key.len() - letters.len() {
                let end = begin + letters.len();
                if self.key[begin..end] != letters[..] {
                    continue;
                }
                let (joins, ends) = if is_forwards { (begin, end) } else { (end, begin) };
                let before = next[joins].filter(|&row: &usize| number - rows[row].word <= BETWEEN + 1);
                let (pieces, length) = before.map_or((0, 0), |row| (rows[row].pieces, rows[row].length));
                let row = Row { word: number, before, pieces: pieces + 1, length: length + letters.len() };
                rows.push(row);
                ended.push((ends, rows.len() - 1));
                if self.is_no_chance(row) {
                    hide_row(&rows, rows.len() - 1, words, hidden);
                }
            }
            for (end, row) in ended {
                next[end] = Some(row);
            }
        }
    }
}

fn hide_row(rows: &[Row], last: usize, words: &[Word], hidden: &mut [bool]) {
    let mut row = Some(last);
    while let Some(Row { word, before, .. }) = row.map(|row| rows[row]) {
        let Word { begin, letters } = &words[word];
        hidden[*begin..begin + letters.len()].fill(true);
        row = before;
    }
}

/// The words of letters and digits in a text, in small letters.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut is_in_word = false;
    for (place, byte) in text.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() {
            if !is_in_word {
                words.push(Word { begin: place, letters: Vec::new() });
            }
            if let Some(word) = words.last_mut() {
                word.letters.push(byte.to_ascii_lowercase());
            }
        }
        is_in_word = byte.is_ascii_alphanumeric();
    }
    words
}

/// Digits of four bits, of five and of six. Small letters and capitals are the same where parts of them are looked for.
const ALPHABETS: [&[u8]; 6] = [
    b"0123456789abcdef",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    b"0123456789ABCDEFGHIJKLMNOPQRSTUV",
    // Of Crockford, and of `z-base-32`.
    b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    b"ybndrfg8ejkmcpqxot1uwisza345h769",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
];

/// The key in the writings of which a part may stand in a text.
pub fn writings(key: &[u8]) -> Vec<Vec<u8>> {
    let backwards: Vec<u8> = key.iter().rev().copied().collect();
    let mut writings = vec![key.to_vec(), key.iter().map(|letter| rotated(*letter)).collect()];
    for bytes in [key, &backwards] {
        for alphabet in ALPHABETS {
            let bits = alphabet.len().ilog2() as usize;
            // Behind more bytes the digits begin as behind none again.
            writings.extend((0..bits).map(|before| digits(bytes, before, alphabet, bits)));
        }
    }
    // Of two bytes a letter, as some systems have texts in memory.
    let wide: Vec<u8> = key.iter().flat_map(|letter| [*letter, 0]).collect();
    for alphabet in [ALPHABETS[0], ALPHABETS[5]] {
        let bits = alphabet.len().ilog2() as usize;
        writings.extend((0..bits).map(|before| digits(&wide, before, alphabet, bits)));
    }
    writings
}

/// A letter thirteen further on.
fn rotated(letter: u8) -> u8 {
    match letter {
        b'a'..=b'z' => (letter - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (letter - b'A' + 13) % 26 + b'A',
        other => other,
    }
}

/// `bytes` in digits of so many bits as they are behind `before` others, without the ends that depend on what stands beside them.
fn digits(bytes: &[u8], before: usize, alphabet: &[u8], bits: usize) -> Vec<u8> {
    let mut padded = vec![0; before];
    padded.extend_from_slice(bytes);
    let (begin, end) = ((before * 8).div_ceil(bits), padded.len() * 8 / bits);
    let bit = |at: usize| padded[at / 8] >> (7 - at % 8) & 1;
    let digit = |place: usize| (place * bits..(place + 1) * bits).fold(0, |digit, at| digit << 1 | bit(at));
    (begin..end).map(|place| alphabet[usize::from(digit(place))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_usual_encoders() {
        // RFC 4648, section 10, without the last digit, which depends on what follows.
        assert_eq!(digits(b"foobar", 0, ALPHABETS[5], 6), b"Zm9vYmFy");
        assert_eq!(digits(b"foob", 0, ALPHABETS[1], 5), b"MZXW6Y");
        assert_eq!(digits(b"foob", 0, ALPHABETS[2], 5), b"CPNMUO");
        assert_eq!(digits(b"fo", 0, ALPHABETS[0], 4), b"666f");
        assert_eq!(digits(b"oobar", 1, ALPHABETS[5], 6), b"9vYmFy");
        assert_eq!("uryyb-1".bytes().map(rotated).collect::<Vec<_>>(), b"hello-1");
    }
}
