//! What each machine summary came to, and the scores that follow from it.

use mteb_measures::numeric::mean;

use super::summary_correlations::{Likeness, Pooled};
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
