//! What each query came to, as a table: its id, then every measure at every cut.

use mteb_measures::ranking::{Evaluation, PerQuery};

use crate::{ItemColumn, Items};

/// Columns of the signals that nAUC judges.
pub(super) const CONFIDENCES: [&str; 3] = ["confidence_max", "confidence_std", "confidence_diff1"];

/// The usual measures of an evaluation, as the columns are called.
pub(super) const MEASURES: [&str; 6] = ["ndcg", "map", "recall", "precision", "mrr", "hit_rate"];

/// Column and score of p-MRR.
pub(super) const P_MRR: &str = "p-MRR";

/// A row a query: `query`, then `ndcg_at_1`, … in the order of the scores, the signals of confidence, and `more`.
pub(super) fn items(query_ids: &[String], evaluation: &Evaluation, more: Vec<(String, Vec<f64>)>) -> Items {
    let mut items = Items::default();
    items.push("query", ItemColumn::Text(query_ids.iter().collect()));
    for (name, values) in columns(evaluation) {
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

/// The usual measures at every cut, one value a query.
pub(super) fn columns(evaluation: &Evaluation) -> impl Iterator<Item = (String, &[f64])> {
    let measures: [&PerQuery; 6] = [
        &evaluation.ndcg,
        &evaluation.average_precision,
        &evaluation.recall,
        &evaluation.precision,
        &evaluation.reciprocal_rank,
        &evaluation.hit_rate,
    ];
    MEASURES.into_iter().zip(measures).flat_map(|(name, measure)| {
        let cuts = evaluation.cuts.iter().zip(measure);
        cuts.map(move |(cut, values)| (format!("{name}_at_{cut}"), values.as_slice()))
    })
}
