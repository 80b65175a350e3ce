//! What each query came to, as a table: its id, then every measure at every cut.

use mteb_measures::ranking::Evaluation;

use crate::{ItemColumn, Items};

/// Columns of the signals that nAUC judges.
pub(super) const CONFIDENCES: [&str; 3] = ["confidence_max", "confidence_std", "confidence_diff1"];

/// Column and score of p-MRR.
pub(super) const P_MRR: &str = "p-MRR";

/// A row a query: `query`, then `ndcg_at_1`, … in the order of the scores, the signals of confidence, and `more`.
pub(super) fn items(query_ids: &[String], evaluation: &Evaluation, more: Vec<(String, Vec<f64>)>) -> Items {
    let mut items = Items::default();
    items.push("query", ItemColumn::Text(query_ids.iter().collect()));
    for (name, values) in evaluation.columns() {
        items.push(name, ItemColumn::Float(values.to_vec()));
    }
    let signals = &evaluation.confidences;
    for (name, values) in CONFIDENCES.into_iter().zip([&signals.max, &signals.std, &signals.diff1]) {
        items.push(name, ItemColumn::Float(values.clone()));
    }
    for (name, values) in more {
        items.push(name, ItemColumn::Float(values));
    }
    items
}
