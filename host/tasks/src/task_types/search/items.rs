//! What each query came to, as a table: its id, then every measure at every cut.

use mteb_measures::ranking::{Evaluation, PerQuery};

use crate::{ItemColumn, Items};

/// A row a query: `query`, then `ndcg_at_1`, … in the order of the scores.
pub(super) fn items(query_ids: &[String], evaluation: &Evaluation) -> Items {
    let mut items = Items::default();
    items.push("query", ItemColumn::Text(query_ids.iter().collect()));
    let measures: [(&str, &PerQuery); 6] = [
        ("ndcg", &evaluation.ndcg),
        ("map", &evaluation.average_precision),
        ("recall", &evaluation.recall),
        ("precision", &evaluation.precision),
        ("mrr", &evaluation.reciprocal_rank),
        ("hit_rate", &evaluation.hit_rate),
    ];
    for (name, measure) in measures {
        for (cut, values) in evaluation.cuts.iter().zip(measure) {
            items.push(format!("{name}_at_{cut}"), ItemColumn::Float(values.clone()));
        }
    }
    items
}
