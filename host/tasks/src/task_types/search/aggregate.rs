//! The scores that follow from what each query came to.

use mteb_card::ExtraMeasure;
use mteb_measures::numeric::{mean, python_round, sequential_mean};
use mteb_measures::ranking::{
    Confidences, Evaluation, PerQuery, mean_capped_recall, paired_accuracy, robustness,
};

use super::items::{CONFIDENCES, MEASURES, P_MRR};
use super::measures::{named, unscorable};
use crate::{EvaluateError, Items, Options, Scores};

/// Decimals to which the means of trec_eval's measures are rounded (protocol 7.4).
const DECIMALS: usize = 5;

/// The usual measures and nAUC, and what single tasks and the user add, as far as it is one number.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items, options: &Options) -> Result<Scores, EvaluateError> {
    let query_ids: Vec<&str> = items.texts("query")?.iter().collect();
    let mut scores = Scores(named(&evaluation(items)?, "").collect());
    for measure in &options.extra_measures {
        match measure {
            ExtraMeasure::MaxOverSubqueries => {
                for name in names(items, "max_over_subqueries_") {
                    let mean = sequential_mean(&defined(items.floats(name)?));
                    let is_mrr = name.starts_with("max_over_subqueries_mrr");
                    scores.insert(name, if is_mrr { mean } else { python_round(mean, DECIMALS) });
                }
            }
            ExtraMeasure::PairedAccuracy => {
                let accuracy = paired_accuracy(&query_ids, items.floats("recall_at_1")?);
                scores.insert("paired_accuracy", accuracy.map_err(unscorable)?);
            }
            ExtraMeasure::Robustness => {
                scores.insert("robustness_at_10", robustness(&query_ids, items.floats("ndcg_at_10")?));
            }
            ExtraMeasure::CappedRecall => {
                for name in names(items, "R_cap_at_") {
                    let values = items.floats(name)?.iter();
                    let mean =
                        mean_capped_recall(values.map(|value| Some(*value).filter(|one| !one.is_nan())));
                    scores.insert(name, mean);
                }
            }
            ExtraMeasure::Judged => {
                for name in names(items, "judged_at_") {
                    scores.insert(name, sequential_mean(items.floats(name)?));
                }
            }
            // A score of several numbers, none of which is a main score.
            ExtraMeasure::LevelScores => {}
        }
    }
    for name in names(items, "ndcg_exp_at_") {
        scores.insert(name, sequential_mean(items.floats(name)?));
    }
    if items.get(P_MRR).is_some() {
        scores.insert(P_MRR, mean(&defined(items.floats(P_MRR)?)));
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

fn names<'a>(items: &'a Items, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let names = items.columns.iter().map(|(name, _)| name.as_str());
    names.filter(move |name| name.starts_with(prefix))
}

fn defined(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}
