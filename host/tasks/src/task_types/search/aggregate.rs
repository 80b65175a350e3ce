//! The scores that follow from per-query results.

use mteb_card::CardMeasure;
use mteb_measures::numeric::mean;
use mteb_measures::ranking::{
    Confidences, Evaluation, ExtraMeasure, MEASURES, ON_REQUEST, PerQuery, QueryColumns, extra_measure,
};

use super::measures::{CONFIDENCES, P_MRR, named, unscorable};
use super::pack_measures;
use crate::{EvaluateError, ItemColumn, Items, Protocol, Scores};

/// The usual measures and nAUC, and what single tasks and the user add, as far as it is one number.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items, options: &Protocol) -> Result<Scores, EvaluateError> {
    let query_ids: Vec<&str> = items.texts("query")?.iter().collect();
    let mut scores = Scores(named(&evaluation(items)?).collect());
    let columns: Vec<(&str, &[f64])> = items.columns.iter().filter_map(numbers).collect();
    let queries = QueryColumns { ids: &query_ids, columns: &columns };
    let of_host = |measure: &dyn ExtraMeasure| measure.aggregate(&queries).map_err(unscorable);
    for measure in &options.extra_measures {
        let found = match measure {
            CardMeasure::Host(measure) => extra_measure(measure.as_str()).map_or(Ok(Vec::new()), of_host)?,
            CardMeasure::Pack(measure) => pack_measures::aggregate(measure, &columns),
        };
        found.into_iter().for_each(|(name, score)| scores.insert(name, score));
    }
    for measure in ON_REQUEST {
        of_host(measure)?.into_iter().for_each(|(name, score)| scores.insert(name, score));
    }
    if items.get(P_MRR).is_some() {
        scores.insert(P_MRR, mean(&drop_undefined(items.floats(P_MRR)?)));
    }
    Ok(scores)
}

/// The measures of each query as they were before they were written down.
fn evaluation(items: &Items) -> Result<Evaluation, EvaluateError> {
    let cut = |name: &str| name.strip_prefix("ndcg_at_")?.parse::<usize>().ok();
    let cuts: Vec<usize> = items.columns.iter().filter_map(|(name, _)| cut(name)).collect();
    let measure = |name: &str| -> Result<PerQuery, EvaluateError> {
        cuts.iter().map(|cut| Ok(items.floats(&format!("{name}_at_{cut}"))?.to_vec())).collect()
    };
    let [ndcg, average_precision, recall, precision, reciprocal_rank, hit_rate] = MEASURES.map(measure);
    let [max, std, diff1] = CONFIDENCES.map(|name| items.floats(name).map(<[f64]>::to_vec));
    Ok(Evaluation {
        queries: items.rows(),
        ndcg: ndcg?,
        average_precision: average_precision?,
        recall: recall?,
        precision: precision?,
        hit_rate: hit_rate?,
        reciprocal_rank: reciprocal_rank?,
        confidences: Confidences { max: max?, std: std?, diff1: diff1? },
        cuts: cuts.clone(),
    })
}

/// The name and the cells of a column of numbers.
fn numbers((name, cells): &(String, ItemColumn)) -> Option<(&str, &[f64])> {
    match cells {
        ItemColumn::Float(cells) => Some((name, cells)),
        _ => None,
    }
}

fn drop_undefined(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}
