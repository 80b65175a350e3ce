//! The features of a text: its words, and the character n-grams within them; and the hash of a feature, FNV-1a
//! over its letters, then an avalanche, so that every bit of the result is good.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::stop_words::is_stop_word;

/// Kinds of features; a word and an n-gram of the same letters are different features.
const WORD: u8 = 1;

const NGRAM: u8 = 2;

/// Weight of a word, and of its n-grams taken together (the root of the sum of their squares): a long word has more
/// n-grams than a short one, but says no more.
const WORD_WEIGHT: f32 = 1.0;

const NGRAMS_WEIGHT: f32 = 2.0;

/// Weight of a function word beside that of another word.
const STOP_WEIGHT: f32 = 0.15;

/// Shortest and longest character n-gram.
const SHORTEST: usize = 3;

const LONGEST: usize = 4;

/// Writing without spaces gives "words" of a whole sentence, which count as several words of this many n-grams.
const MOST_NGRAMS: usize = 24;

/// Calls `add` with hash and weight of every feature of `text`, in the order of the text, repeats included.
pub fn each_feature(text: &str, mut add: impl FnMut(u64, f32)) {
    let folded = fold(text);
    let mut letters = Vec::with_capacity(32);
    for word in folded.split(|letter| !is_in_word(letter)).filter(|word| !word.is_empty()) {
        let weight = if is_stop_word(word) { STOP_WEIGHT } else { 1.0 };
        letters.clear();
        letters.push('<');
        letters.extend(word.chars());
        letters.push('>');
        let whole = letters.iter().fold(Hash::new(WORD), |hash, &letter| hash.letter(letter));
        add(whole.finish(), WORD_WEIGHT * weight);
        each_ngram(&letters, NGRAMS_WEIGHT * weight, &mut add);
    }
}

/// The n-grams of a word between two marks of its ends; together they weigh `weight`.
fn each_ngram(letters: &[char], weight: f32, add: &mut impl FnMut(u64, f32)) {
    let count: usize = (SHORTEST..=LONGEST).map(|length| (letters.len() + 1).saturating_sub(length)).sum();
    let weight = weight / (count.min(MOST_NGRAMS) as f32).sqrt();
    for start in 0..letters.len() {
        let mut hash = Hash::new(NGRAM);
        for (index, &letter) in letters[start..].iter().take(LONGEST).enumerate() {
            hash = hash.letter(letter);
            if index + 1 >= SHORTEST {
                add(hash.finish(), weight);
            }
        }
    }
}

/// Lower case, and one form for letters that Unicode writes in several ways (NFKC).
fn fold(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).collect()
    }
}

/// Vowel signs and tone marks belong to words, as in Thai, Lao or Javanese script.
fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || (!letter.is_ascii() && is_combining_mark(letter))
}

/// The hash of the letters so far; a longer feature continues the hash of its beginning.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    /// The hash of no letter; features of different kinds never share a hash by construction.
    pub fn new(kind: u8) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ (u64::from(kind) << 32))
    }

    /// The hash with one more letter.
    pub fn letter(self, letter: char) -> Self {
        Self((self.0 ^ u64::from(u32::from(letter))).wrapping_mul(0x0000_0100_0000_01b3))
    }

    /// The mixed bits: the finalizer of MurmurHash3 (Appleby).
    pub fn finish(self) -> u64 {
        let mut state = self.0;
        state ^= state >> 33;
        state = state.wrapping_mul(0xff51_afd7_ed55_8ccd);
        state ^= state >> 33;
        state = state.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        state ^ (state >> 33)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> Vec<(u64, f32)> {
        let mut features = Vec::new();
        each_feature(text, |hash, weight| features.push((hash, weight)));
        features
    }

    #[test]
    fn case_compatibility_forms_and_punctuation_do_not_matter() {
        assert_eq!(features("Ｂandung—MAJU!"), features("bandung maju"));
    }

    #[test]
    fn a_word_weighs_the_same_however_long_it_is() {
        let weight = |text| features(text).iter().map(|(_, weight)| weight * weight).sum::<f32>();
        assert!((weight("beras") - 5.0).abs() < 1e-5);
        assert!((weight("perekonomian") - 5.0).abs() < 1e-5);
    }

    #[test]
    fn function_words_weigh_little() {
        let weight = |text| features(text)[0].1;
        assert!(weight("yang") < 0.2 * weight("uang"));
    }

    #[test]
    fn a_tone_mark_does_not_split_a_word() {
        let words = features("น้ำ").iter().filter(|(_, weight)| *weight == WORD_WEIGHT).count();
        assert_eq!(words, 1);
    }

    #[test]
    fn a_text_without_letters_has_no_feature() {
        assert_eq!(features(" ?! …\n"), []);
    }

    fn hash(kind: u8, letters: &str) -> u64 {
        letters.chars().fold(Hash::new(kind), Hash::letter).finish()
    }

    #[test]
    fn the_hash_is_pinned() {
        assert_eq!([hash(1, ""), hash(1, "beras"), hash(2, "beras")], PINNED);
    }

    #[test]
    fn the_order_of_letters_matters() {
        assert_ne!(hash(1, "kala"), hash(1, "alak"));
    }

    const PINNED: [u64; 3] =
        [16_034_718_368_524_969_391, 12_556_414_636_838_603_868, 9_215_538_320_970_004_247];
}
