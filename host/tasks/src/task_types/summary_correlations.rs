//! Correlations of the relevance of summaries with their likeness to human ones, pooled over documents.

use mteb_measures::correlation::{pearson, pearson_p_value, spearman, spearman_p_value};
use mteb_measures::numeric::mean;

use crate::Scores;

/// How alike each machine summary of a document is to the most similar human one, by the model's own similarity, cosine and inner
/// product.
pub(super) type Likeness = [Vec<f64>; 3];

/// The correlations of all documents, by the model's own similarity, cosine and inner product.
#[derive(Default)]
pub(super) struct Pooled([Correlations; 3]);

#[derive(Default)]
struct Correlations {
    pearson: Vec<f64>,
    spearman: Vec<f64>,
}

impl Correlations {
    fn add(&mut self, gold: &[f64], predicted: &[f64], with_p_values: bool) {
        let (linear, ranked) = (pearson(gold, predicted), spearman(gold, predicted));
        self.pearson.push(linear);
        self.spearman.push(ranked);
        if with_p_values {
            // The historic fault: the mean runs over the p-values as well.
            self.pearson.push(pearson_p_value(linear, gold.len()));
            self.spearman.push(spearman_p_value(ranked, gold.len()));
        }
    }
}

impl Pooled {
    /// Adds a document, unless its relevance or its likeness is the same everywhere.
    pub fn add(&mut self, gold: &[f64], likeness: &Likeness, with_p_values: bool) {
        let [_, cosine, dot] = likeness;
        if is_constant(gold) || is_constant(cosine) || is_constant(dot) {
            return;
        }
        for (slot, predicted) in self.0.iter_mut().zip(likeness) {
            slot.add(gold, predicted, with_p_values);
        }
    }

    /// True if no document was added that could be scored.
    pub fn is_empty(&self) -> bool {
        self.0[0].pearson.is_empty()
    }

    pub fn scores(&self) -> Scores {
        let [own, cosine, dot] = &self.0;
        let mut scores = Scores::new();
        scores.insert("pearson", mean(&own.pearson));
        scores.insert("spearman", mean(&own.spearman));
        scores.insert("cosine_spearman", mean(&cosine.spearman));
        scores.insert("cosine_pearson", mean(&cosine.pearson));
        scores.insert("dot_pearson", mean(&dot.pearson));
        scores.insert("dot_spearman", mean(&dot.spearman));
        scores
    }
}

fn is_constant(values: &[f64]) -> bool {
    values.iter().all(|value| *value == values[0])
}
