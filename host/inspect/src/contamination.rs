//! Whether texts stand in other datasets: the hashes of their character n-grams are looked for there.
//!
//! As the report on GPT-4 did (OpenAI 2023, appendix C), spaces and symbols are dropped, and texts are compared by substrings of 50
//! characters. A text counts as found where one dataset has at least half of its substrings. In scripts whose characters are syllables
//! or words, 20 characters say as much.

use std::collections::HashSet;

use mteb_measures::random::mix;
use mteb_tasks::normalised;

use crate::near::is_dense;

/// Characters of a substring, of alphabets and of scripts of syllables or words.
const LENGTH: usize = 50;
const DENSE_LENGTH: usize = 20;

/// Characters of the shortest text that is looked for, as a whole.
const LEAST: usize = 20;
const DENSE_LEAST: usize = 8;

/// Substrings of one text that are looked for; of more an even sample.
const MOST: usize = 64;

/// Share of the substrings of a text that are in a dataset from which on the text counts as found.
const FOUND: f64 = 0.5;

/// The factor of the rolling hash, odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Texts to look for.
#[derive(Debug, Default)]
pub struct Sought {
    /// The hashes of each text.
    texts: Vec<Vec<u64>>,
    /// All of them.
    hashes: HashSet<u64>,
}

/// What of the texts is in one dataset.
#[derive(Debug)]
pub struct Seen<'a> {
    sought: &'a Sought,
    hashes: HashSet<u64>,
}

impl Sought {
    /// The hashes of `texts`. Those that are too short to tell are never found.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let texts: Vec<Vec<u64>> = texts
            .into_iter()
            .map(|text| {
                let all = hashes(&letters(text));
                let step = all.len().div_ceil(MOST).max(1);
                all.into_iter().step_by(step).collect()
            })
            .collect();
        let hashes = texts.iter().flatten().copied().collect();
        Self { texts, hashes }
    }

    /// Number of texts that are long enough to be looked for.
    pub fn count(&self) -> usize {
        self.texts.iter().filter(|hashes| !hashes.is_empty()).count()
    }

    /// A dataset of which nothing was read yet.
    pub fn begin(&self) -> Seen<'_> {
        Seen { sought: self, hashes: HashSet::new() }
    }
}

impl Seen<'_> {
    /// Reads a text of the dataset.
    pub fn add(&mut self, text: &str) {
        let found = hashes(&letters(text)).into_iter().filter(|hash| self.sought.hashes.contains(hash));
        self.hashes.extend(found);
    }

    /// The places of the texts that are in the dataset.
    pub fn found(&self) -> Vec<usize> {
        let texts = self.sought.texts.iter().enumerate();
        let is_found = |(_, hashes): &(usize, &Vec<u64>)| {
            let here = hashes.iter().filter(|hash| self.hashes.contains(hash)).count();
            !hashes.is_empty() && here as f64 >= FOUND * hashes.len() as f64
        };
        texts.filter(is_found).map(|(place, _)| place).collect()
    }
}

/// Letters and digits of a text, in one form and lower case; none of a text that is compared by its signs.
fn letters(text: &str) -> Vec<char> {
    let text = normalised(text);
    if !text.contains(char::is_alphanumeric) {
        return Vec::new();
    }
    text.chars().filter(|letter| *letter != ' ').collect()
}

/// The hash of each substring, each once and in order; of a text that is shorter that of the whole text, which no substring has.
fn hashes(letters: &[char]) -> Vec<u64> {
    let (length, least) = if is_dense(letters) { (DENSE_LENGTH, DENSE_LEAST) } else { (LENGTH, LEAST) };
    if letters.len() < length {
        let whole = letters.iter().fold(letters.len() as u64, |hash, &letter| mix(hash ^ u64::from(letter)));
        return if letters.len() < least { Vec::new() } else { vec![whole] };
    }
    let power = (1..length).fold(1_u64, |power, _| power.wrapping_mul(FACTOR));
    let (mut hash, mut found, mut seen) = (0_u64, Vec::new(), HashSet::new());
    for (place, &letter) in letters.iter().enumerate() {
        if place >= length {
            hash = hash.wrapping_sub(code(letters[place - length]).wrapping_mul(power));
        }
        hash = hash.wrapping_mul(FACTOR).wrapping_add(code(letter));
        if place + 1 >= length && seen.insert(hash) {
            found.push(mix(hash));
        }
    }
    found
}

/// A number without a pattern for each letter.
fn code(letter: char) -> u64 {
    mix(u64::from(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "Harga beras di pasar tradisional Jakarta naik lagi pada pekan ini, karena hujan deras di sawah.";

    fn found(sought: &[&str], dataset: &[&str]) -> Vec<usize> {
        let sought = Sought::new(sought.iter().copied());
        let mut seen = sought.begin();
        dataset.iter().for_each(|text| seen.add(text));
        seen.found()
    }

    #[test]
    fn a_text_within_a_longer_one_is_found_whatever_its_spaces_and_letters() {
        let page =
            format!("Berita hari ini! {} Sekian dan terima kasih atas perhatian.", TEXT.to_uppercase());
        assert_eq!(
            found(&["Teks lain yang sama sekali tidak ada di mana pun juga, di berita itu.", TEXT], &[&page]),
            [1]
        );
        let half = &TEXT[..TEXT.len() / 2];
        assert_eq!(
            found(&[TEXT], &[half]),
            [0_usize; 0],
            "half a text has fewer than half of its substrings"
        );
    }

    #[test]
    fn short_texts_are_found_whole_and_very_short_ones_never() {
        assert_eq!(
            found(&["Berapa harga beras sekarang?", "Ya."], &["berapa harga beras sekarang", "ya"]),
            [0]
        );
        assert_eq!(
            found(&["Berapa harga beras sekarang?"], &["Berapa harga beras sekarang di pasar?"]),
            [0_usize; 0]
        );
    }

    #[test]
    fn scripts_without_spaces_are_compared_by_shorter_substrings() {
        let text = "今天北京的天气很好所以我们去公园散步然后回家吃饭";
        assert_eq!(found(&[text], &[&format!("日记。{text}。")]), [0]);
        assert_eq!(found(&["อาหารไทยอร่อยมากที่สุดในโลก"], &["อาหารไทยอร่อยมากที่สุดในโลก!"]), [0]);
        assert_eq!(found(&["今天天气很好啊"], &["今天天气很好啊"]), [0_usize; 0], "seven characters");
    }

    #[test]
    fn the_rolling_hash_is_that_of_each_substring() {
        let letters: Vec<char> = "abcdefghij".repeat(8).chars().collect();
        assert_eq!(hashes(&letters).len(), 10, "those that repeat count once");
        assert_eq!(hashes(&letters)[3], hashes(&letters[3..53])[0]);
    }
}
