//! Recall against the best that the cut allows (LMEB's `R_cap`).

use rayon::prelude::*;

use super::measure::{ExtraMeasure, ExtraScores, ExtraValue, JudgedRun, QueryColumns, is_at_a_cut};
use crate::ranking::per_query::hits_at;
use crate::ranking::{RankingError, best_first};

/// `R_cap_at_10` and its like.
pub struct CappedRecall;

impl ExtraMeasure for CappedRecall {
    fn gives(&self, name: &str) -> bool {
        is_at_a_cut(name, &["R_cap"])
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let mut cuts = run.evaluation.cuts.clone();
        cuts.sort_unstable();
        let depth = cuts.last().copied().unwrap_or(0);
        let of_queries: Vec<Vec<Option<f64>>> = run
            .outcomes
            .par_iter()
            .map(|query| {
                let ranked = best_first(run.ids, query.found, depth).into_iter();
                let grades: Vec<f64> = ranked.map(|document| query.judgements.grade(document)).collect();
                let judgements = query.judgements;
                capped_recall(&judgements.relevance(&grades), judgements.relevant(), &cuts)
            })
            .collect();
        let mut measured = ExtraScores::default();
        for &cut in &run.evaluation.cuts {
            let place = cuts.partition_point(|&other| other < cut);
            let values = of_queries.iter().map(|query| query[place]);
            let name = format!("R_cap_at_{cut}");
            let mean = mean_capped_recall(values.clone());
            measured.scores.push((name.clone(), ExtraValue::Number(mean)));
            measured.queries.push((name, values.map(|value| value.unwrap_or(f64::NAN)).collect()));
        }
        Ok(measured)
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        let defined = |value: &f64| Some(*value).filter(|value| !value.is_nan());
        let mean = |values: &[f64]| mean_capped_recall(values.iter().map(defined));
        Ok(queries.columns("R_cap_at_").map(|(name, values)| (name.to_owned(), mean(values))).collect())
    }
}

/// Hits divided by min(relevant, cut) at each of `cuts` (ascending) for the documents in rank order, true if relevant;
/// `None` where nothing is relevant.
pub fn capped_recall(is_relevant: &[bool], relevant: usize, cuts: &[usize]) -> Vec<Option<f64>> {
    hits_at(is_relevant, cuts)
        .into_iter()
        .zip(cuts)
        .map(|(hits, &cut)| match relevant.min(cut) {
            0 => None,
            possible => Some(hits as f64 / possible as f64),
        })
        .collect()
}

/// The mean of the defined values, 0 if there is none.
pub fn mean_capped_recall(values: impl IntoIterator<Item = Option<f64>>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values.into_iter().flatten() {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}
