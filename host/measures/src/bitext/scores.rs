//! Precision, recall, F1 and accuracy of found translations.

use crate::numeric::sum;

/// How well translations were found (protocol 6.1); all are in [0, 1], or NaN if there was nothing to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitextScores {
    /// Mean over the sought sentences of the precision with which each was found.
    pub precision: f64,
    /// Mean over the sought sentences of the recall; equals `accuracy`.
    pub recall: f64,
    /// Mean over the sought sentences of F1.
    pub f1: f64,
    /// Share of sentences whose translation was found.
    pub accuracy: f64,
}

/// Scores `found` against `expected`: for each sentence, the index of the nearest one and of its translation.
///
/// Every expected index is a class and the averages are weighted by how often each class is expected, an undefined
/// ratio counting 0. Source: scikit-learn 1.9, `precision_score`, `recall_score` and `f1_score` with `average` =
/// `weighted`.
pub fn bitext_scores(expected: &[usize], found: &[usize]) -> BitextScores {
    let tallies = tally(expected, found);
    let weighted = |ratio: fn(&Tally) -> f64| {
        let terms: Vec<f64> = tallies.iter().map(|tally| ratio(tally) * tally.expected as f64).collect();
        sum(&terms) / expected.len() as f64
    };
    let right = expected.iter().zip(found).filter(|(expected, found)| expected == found).count();
    BitextScores {
        precision: weighted(|tally| ratio(tally.right, tally.found)),
        recall: weighted(|tally| ratio(tally.right, tally.expected)),
        f1: weighted(|tally| ratio(2 * tally.right, tally.found + tally.expected)),
        accuracy: right as f64 / expected.len() as f64,
    }
}

/// How often one index was expected, found, and both at once.
#[derive(Clone, Copy, Default)]
struct Tally {
    expected: usize,
    found: usize,
    right: usize,
}

/// The tallies of all indices that occur, by ascending index.
fn tally(expected: &[usize], found: &[usize]) -> Vec<Tally> {
    debug_assert_eq!(expected.len(), found.len());
    let classes = expected.iter().chain(found).max().map_or(0, |largest| largest + 1);
    let mut tallies = vec![Tally::default(); classes];
    for (&expected, &found) in expected.iter().zip(found) {
        tallies[expected].expected += 1;
        tallies[found].found += 1;
        tallies[found].right += usize::from(expected == found);
    }
    // The classes that occur nowhere must go: they would shift the blocks of the pairwise sum.
    tallies.retain(|tally| tally.expected + tally.found > 0);
    tallies
}

fn ratio(numerator: usize, denominator: usize) -> f64 {
    if denominator == 0 { 0.0 } else { numerator as f64 / denominator as f64 }
}
