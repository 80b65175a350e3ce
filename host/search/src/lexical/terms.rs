//! The terms of an index: texts are split into words or characters, and each word is stemmed once;
//! stems have numbers.

use std::collections::{HashMap, HashSet};

use snowball_stemmers_rs::{Algorithm, Stemmer};
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use super::Language;
use super::language::Units;

/// From texts to the numbers of their terms.
pub(crate) struct Terms {
    cut: Units,
    /// Words that are skipped before they are stemmed.
    stop_words: HashSet<Box<str>>,
    stems: Stems,
    /// By stem.
    numbers: HashMap<Box<str>, u32>,
    /// The same by word, so that a word of the documents is stemmed once.
    words: HashMap<Box<str>, u32>,
}

impl Terms {
    pub fn new(language: Language) -> Self {
        let listed = language.stop_words.unwrap_or_default();
        Self {
            cut: language.units,
            stop_words: listed.split_whitespace().map(Box::from).collect(),
            stems: Stems::new(language.stemmer),
            numbers: HashMap::new(),
            words: HashMap::new(),
        }
    }

    /// Calls `take` with each word of `text` that is not skipped.
    pub fn words(&self, text: &str, mut take: impl FnMut(&str)) {
        units(text, self.cut, |word| {
            if !self.stop_words.contains(word) {
                take(word);
            }
        });
    }

    /// Adds the numbers of the terms of `text` to `found`, in the order of the text. A term that has no number yet gets the next one.
    pub fn number_all(&mut self, text: &str, found: &mut Vec<u32>) {
        let Self { cut, stop_words, stems, numbers, words } = self;
        units(text, *cut, |word| {
            if stop_words.contains(word) {
                return;
            }
            let number = words.get(word).copied().unwrap_or_else(|| {
                let number = stems.stem(word, |stem| find_or_add(numbers, stem));
                words.insert(word.into(), number);
                number
            });
            found.push(number);
        });
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Drops what is known of single words, once all documents are in.
    pub fn forget_words(&mut self) {
        self.words = HashMap::new();
    }

    /// The number of the term of `word`, if a document has it.
    pub fn find(&self, word: &str) -> Option<u32> {
        self.stems.stem(word, |stem| self.numbers.get(stem).copied())
    }

    /// From here on words that **are** one of these terms are skipped too, whatever their own stem: as the reference
    /// skips them in queries.
    pub fn leave_out(&mut self, terms: &[u32]) {
        let wanted: HashSet<u32> = terms.iter().copied().collect();
        let left = self.numbers.iter().filter(|(_, number)| wanted.contains(number));
        self.stop_words.extend(left.map(|(stem, _)| stem.clone()));
    }
}

/// A stemmer of Snowball 3, or none.
struct Stems(Option<Stemmer>);

impl Stems {
    pub fn new(algorithm: Option<Algorithm>) -> Self {
        Self(algorithm.map(Stemmer::create))
    }

    /// Calls `take` with the stem of `word`; without a stemmer that is the word.
    pub fn stem<R>(&self, word: &str, take: impl FnOnce(&str) -> R) -> R {
        match &self.0 {
            Some(stemmer) => take(&stemmer.stem(word)),
            None => take(word),
        }
    }
}

/// The number of `stem`; the next one if it has none.
fn find_or_add(numbers: &mut HashMap<Box<str>, u32>, stem: &str) -> u32 {
    if let Some(&number) = numbers.get(stem) {
        return number;
    }
    let number = numbers.len() as u32;
    numbers.insert(stem.into(), number);
    number
}

/// Calls `take` with each unit of `text` in its order.
pub(crate) fn units(text: &str, units: Units, mut take: impl FnMut(&str)) {
    match units {
        Units::Words => {
            // Runs of two characters and more, as scikit-learn's `(?u)\b\w\w+\b` finds them.
            let lower = text.to_lowercase();
            let runs = lower.split(|letter: char| !is_word(letter));
            runs.filter(|run| run.chars().nth(1).is_some()).for_each(take);
        }
        Units::Characters => {
            let normal: String = text.nfkc().collect();
            let mut buffer = [0; 4];
            let letters = normal.to_lowercase();
            letters
                .chars()
                .filter(|letter| *letter != ' ')
                .for_each(|letter| take(letter.encode_utf8(&mut buffer)));
        }
    }
}

/// Whether Python's `\w` takes `letter`: letters, numbers and the underscore, without combining marks.
fn is_word(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric() || letter == '_';
    }
    matches!(
        get_general_category(letter),
        GeneralCategory::UppercaseLetter
            | GeneralCategory::LowercaseLetter
            | GeneralCategory::TitlecaseLetter
            | GeneralCategory::ModifierLetter
            | GeneralCategory::OtherLetter
            | GeneralCategory::DecimalNumber
            | GeneralCategory::LetterNumber
            | GeneralCategory::OtherNumber
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, kind: Units) -> Vec<String> {
        let mut found = Vec::new();
        units(text, kind, |unit| found.push(unit.to_owned()));
        found
    }

    #[test]
    fn words_are_runs_of_two_letters_and_more() {
        assert_eq!(cut("Di a_b, x Ÿ-é2 l'eau!", Units::Words), ["di", "a_b", "é2", "eau"]);
        // A vowel sign is a mark, which parts words.
        assert_eq!(cut("हिन्दी", Units::Words), Vec::<String>::new());
    }

    #[test]
    fn characters_are_normal_lower_and_without_spaces() {
        assert_eq!(cut("Ａ ｶﾞ\n你", Units::Characters), ["a", "ガ", "\n", "你"]);
    }
}
