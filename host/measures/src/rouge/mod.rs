//! ROUGE (Lin 2004): how much of a reference a text repeats, as Google's Python package `rouge-score` 0.1.2 counts it.
//!
//! Words are runs of a to z and 0 to 9 in the lower-cased text, and are not stemmed; every other letter parts words.

mod longest_common_subsequence;
mod n_grams;
mod words;

use longest_common_subsequence::longest_common_subsequence;
use n_grams::shared_n_grams;
pub use words::Words;

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

#[cfg(test)]
mod tests;
