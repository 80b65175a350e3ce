//! Per-item results of machine summaries, and their correlation with human ones, pooled over
//! documents.

use mteb_measures::correlation::{pearson, pearson_p_value, spearman, spearman_p_value};
use mteb_measures::numeric::mean;

use crate::{EvaluateError, ItemColumn, Items, Scores};

/// What summaries are compared by, as the columns are called.
const MEASURES: [&str; 3] = ["similarity", "cosine", "dot"];

/// A row a machine summary: the row of its document, its place in it, its relevance brought to 0 to 1, and its likeness to the
/// most similar human one; behind these the measures beside those of the reference, if they were asked for.
pub(super) fn items(documents: &[(&[f64], Likeness)], extra: Vec<(&'static str, Vec<f64>)>) -> Items {
    let (mut rows, mut places, mut gold) = (Vec::new(), Vec::new(), Vec::new());
    let mut likeness: [Vec<f64>; 3] = Default::default();
    for (row, (relevance, found)) in documents.iter().enumerate() {
        rows.resize(rows.len() + relevance.len(), row as i64);
        places.extend(0..relevance.len() as i64);
        gold.extend_from_slice(relevance);
        for (column, values) in likeness.iter_mut().zip(found) {
            column.extend_from_slice(values);
        }
    }
    let mut items = Items::default();
    items.push("row", ItemColumn::Int(rows));
    items.push("summary", ItemColumn::Int(places));
    items.push("gold", ItemColumn::Float(gold));
    for (name, values) in MEASURES.into_iter().zip(likeness).chain(extra) {
        items.push(name, ItemColumn::Float(values));
    }
    items
}

/// The scores of all documents.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items, with_p_values: bool) -> Result<Scores, EvaluateError> {
    let (rows, gold) = (items.ints("row")?, items.floats("gold")?);
    let [own, cosine, dot] = MEASURES.map(|name| items.floats(name));
    let columns = [own?, cosine?, dot?];
    let mut pooled = Pooled::default();
    let mut start = 0;
    for document in rows.chunk_by(|left, right| left == right) {
        let range = start..start + document.len();
        start = range.end;
        pooled.add(
            &gold[range.clone()],
            &columns.map(|column| column[range.clone()].to_vec()),
            with_p_values,
        );
    }
    let mut scores = pooled.scores();
    for name in ["rouge1", "rouge2", "rougeL", "document_cosine"] {
        if items.get(name).is_some() {
            scores.insert(name, mean(items.floats(name)?));
        }
    }
    Ok(scores)
}

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
