//! ROUGE (Lin 2004): how much of a reference a text repeats, as Google's Python package `rouge-score` 0.1.2 counts it.
//!
//! Words are runs of a to z and 0 to 9 in the lower-cased text, and are not stemmed; every other letter parts words.

use std::collections::HashMap;

/// Overlap of a text with a reference; all in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rouge {
    /// Share of the text that the reference has.
    pub precision: f64,
    /// Share of the reference that the text has.
    pub recall: f64,
    /// Harmonic mean of both, 0 if both are 0.
    pub f1: f64,
}

/// ROUGE-N: shared runs of `n` words (1 or more), each as often as in the side that has it less often.
pub fn rouge_n(reference: &Words, text: &Words, n: usize) -> Rouge {
    let count = |words: &Words| (words.len() + 1).saturating_sub(n).max(1);
    Rouge::new(shared_n_grams(reference, text, n), count(reference), count(text))
}

/// ROUGE-L: the longest sequence of words that both have in this order, whatever is between.
pub fn rouge_l(reference: &Words, text: &Words) -> Rouge {
    if reference.is_empty() || text.is_empty() {
        return Rouge::default();
    }
    Rouge::new(longest_common_subsequence(reference, text), reference.len(), text.len())
}

impl Rouge {
    fn new(shared: usize, of_reference: usize, of_text: usize) -> Self {
        let (precision, recall) = (shared as f64 / of_text as f64, shared as f64 / of_reference as f64);
        let sum = precision + recall;
        Self { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
    }
}

/// How many runs of `n` words both have, each counted as often as in the side that has it less often.
fn shared_n_grams(one: &Words, other: &Words, n: usize) -> usize {
    let mut left: HashMap<&[u32], usize> = HashMap::new();
    for run in one.numbers().windows(n) {
        *left.entry(run).or_default() += 1;
    }
    let mut take = |run: &[u32]| match left.get_mut(run) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    other.numbers().windows(n).filter(|run| take(run)).count()
}

/// The length of the longest sequence of words that both have in this order; memory grows with the shorter side.
fn longest_common_subsequence(one: &Words, other: &Words) -> usize {
    let (long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    let mut lengths = vec![0usize; short.len() + 1];
    for word in long.numbers() {
        let mut diagonal = 0;
        for (place, other) in short.numbers().iter().enumerate() {
            let above = lengths[place + 1];
            lengths[place + 1] = if word == other { diagonal + 1 } else { above.max(lengths[place]) };
            diagonal = above;
        }
    }
    lengths.last().copied().unwrap_or(0)
}

/// Words of one text in their order; equal words of texts that were read with one [`Words::all`] have equal numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<u32>);

impl Words {
    /// The words of each of `texts`.
    pub fn all<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut words_of = |text: &str| {
            let lower = text.to_lowercase();
            let words = lower.split(|letter: char| !(letter.is_ascii_lowercase() || letter.is_ascii_digit()));
            let number = |word: &str| {
                let next = numbers.len() as u32;
                *numbers.entry(word.to_owned()).or_insert(next)
            };
            Self(words.filter(|word| !word.is_empty()).map(number).collect())
        };
        texts.into_iter().map(&mut words_of).collect()
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of the words.
    fn numbers(&self) -> &[u32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    //! ROUGE beside `rouge-score` (fixture from `tests/golden/rouge/make.py`) and by hand.

    use serde::Deserialize;

    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/rouge/rouge.json");

    #[derive(Deserialize)]
    struct Case {
        reference: String,
        text: String,
        /// Precision, recall and F1 of ROUGE-1, ROUGE-2 and ROUGE-L.
        scores: [[f64; 3]; 3],
    }

    fn scores(reference: &str, text: &str) -> [[f64; 3]; 3] {
        let words = Words::all([reference, text]);
        let found = [
            rouge_n(&words[0], &words[1], 1),
            rouge_n(&words[0], &words[1], 2),
            rouge_l(&words[0], &words[1]),
        ];
        found.map(|rouge| [rouge.precision, rouge.recall, rouge.f1])
    }

    #[test]
    fn a_thousand_pairs_score_as_rouge_score_scores_them() {
        let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
        let cases: Vec<Case> = serde_json::from_str(&text).expect("fixture is JSON");
        assert_eq!(cases.len(), 1000);
        for case in cases {
            assert_eq!(
                scores(&case.reference, &case.text),
                case.scores,
                "{} / {}",
                case.reference,
                case.text
            );
        }
    }

    #[test]
    fn a_text_repeats_three_of_four_words_in_order() {
        let [one, two, longest] = scores("the cat sat there", "The cat was there!");
        assert_eq!((one, two), ([0.75, 0.75, 0.75], [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]));
        assert_eq!(longest, [0.75, 0.75, 0.75]);
    }

    #[test]
    fn a_text_without_words_shares_nothing() {
        assert_eq!(scores("", "kata"), [[0.0; 3]; 3]);
        assert_eq!(scores("…", "…"), [[0.0; 3]; 3]);
    }
}
