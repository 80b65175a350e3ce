//! The features of a text: words, pairs of words, and character n-grams within words.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::hash::hash;

/// Kinds of features; a word and an n-gram of the same letters are different features.
const WORD: u8 = 1;
const PAIR: u8 = 2;
const NGRAM: u8 = 3;

/// Weight of each kind before the sublinear damping of repeats.
const WORD_WEIGHT: f32 = 1.0;
const PAIR_WEIGHT: f32 = 0.5;
const NGRAM_WEIGHT: f32 = 0.35;

/// Frequent function words of Indonesian and English count little: the encoder sees one text at a time and so has
/// no document frequencies of its own.
const STOP_WORDS: &[&str] = &[
    "a", "ada", "adalah", "agar", "akan", "an", "and", "apa", "are", "as", "at", "atau", "bahwa", "be",
    "bisa", "by", "can", "dalam", "dan", "dapat", "dari", "dengan", "di", "do", "for", "from", "has", "have",
    "how", "i", "in", "ini", "is", "it", "its", "itu", "juga", "kami", "karena", "ke", "kita", "lagi",
    "lebih", "mereka", "my", "of", "oleh", "on", "or", "pada", "para", "saat", "saya", "sebagai", "secara",
    "seperti", "sudah", "telah", "tersebut", "that", "the", "their", "this", "to", "untuk", "was", "we",
    "were", "what", "which", "will", "with", "yang", "yg", "you", "your",
];
const STOP_WEIGHT: f32 = 0.2;

/// Shortest and longest character n-gram.
const NGRAMS: std::ops::RangeInclusive<usize> = 3..=5;

/// Every feature of `text` with its weight: hash = weight.
pub fn features(text: &str) -> HashMap<u64, f32> {
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut counts: HashMap<u64, (f32, f32)> = HashMap::with_capacity(16 * words.len());
    let mut add = |feature: u64, weight: f32| counts.entry(feature).or_insert((0.0, weight)).0 += 1.0;
    for word in &words {
        let weight = word_weight(word);
        add(hash(WORD, [*word]), WORD_WEIGHT * weight);
        add_ngrams(word, NGRAM_WEIGHT * weight, &mut add);
    }
    for pair in words.windows(2) {
        let weight = word_weight(pair[0]).min(word_weight(pair[1]));
        add(hash(PAIR, pair.iter().copied()), PAIR_WEIGHT * weight);
    }
    counts.into_iter().map(|(feature, (count, weight))| (feature, weight * (1.0 + count.ln()))).collect()
}

/// Longer words say more; function words say little.
fn word_weight(word: &str) -> f32 {
    if STOP_WORDS.binary_search(&word).is_ok() {
        return STOP_WEIGHT;
    }
    let letters = word.chars().count().min(10) as f32;
    0.6 + 0.08 * letters
}

/// N-grams of the word between two marks of its ends; a short word is an n-gram of its own.
fn add_ngrams(word: &str, weight: f32, add: &mut impl FnMut(u64, f32)) {
    let marked = format!("<{word}>");
    let mut starts: Vec<usize> = marked.char_indices().map(|(index, _)| index).collect();
    starts.push(marked.len());
    for length in NGRAMS {
        for window in starts.windows(length + 1) {
            add(hash(NGRAM, [&marked[window[0]..window[length]]]), weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn case_and_compatibility_forms_do_not_matter() {
        assert_eq!(features("Ｂandung MAJU"), features("bandung maju"));
    }
}
