//! Measures after merging the subqueries of a query (MindSmallReranking).

use std::collections::HashMap;

use super::measure::{
    ExtraMeasure, ExtraScores, ExtraValue, JudgedRun, QueryColumns, before_last_underscore, group_by,
    is_at_a_cut,
};
use crate::numeric::{python_round, sequential_mean};
use crate::ranking::{DocumentIds, Evaluation, Found, MEASURES, Outcome, RankingError, evaluate};

/// What stands before the names of the usual measures.
const PREFIX: &str = "max_over_subqueries_";

/// Decimals to which the means of trec_eval's measures are rounded (protocol 7.4).
const DECIMALS: usize = 5;

/// `max_over_subqueries_ndcg_at_10` and its like: the usual measures of merged queries.
pub struct MaxOverSubqueries;

impl ExtraMeasure for MaxOverSubqueries {
    fn gives(&self, name: &str) -> bool {
        name.strip_prefix(PREFIX).is_some_and(|name| is_at_a_cut(name, &MEASURES))
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let merged = max_over_subqueries(run.query_ids, run.outcomes, run.ids, &run.evaluation.cuts);
        // The results of a query stand in the row of its first subquery.
        let rows = first_subqueries(run.query_ids);
        let at_rows = |values: &[f64]| {
            let mut column = vec![f64::NAN; run.query_ids.len()];
            rows.iter().zip(values).for_each(|(&row, &value)| column[row] = value);
            column
        };
        let value =
            |value: f64| if value.is_nan() { ExtraValue::Undefined } else { ExtraValue::Number(value) };
        let scores =
            merged.summary().into_iter().map(|(name, score)| (format!("{PREFIX}{name}"), value(score)));
        let columns = merged.columns().map(|(name, values)| (format!("{PREFIX}{name}"), at_rows(values)));
        Ok(ExtraScores { scores: scores.collect(), queries: columns.collect() })
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        let mean = |(name, values): (&str, &[f64])| {
            let defined: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            let mean = sequential_mean(&defined);
            let is_mrr = name.starts_with("max_over_subqueries_mrr");
            (name.to_owned(), if is_mrr { mean } else { python_round(mean, DECIMALS) })
        };
        Ok(queries.columns(PREFIX).map(mean).collect())
    }
}

/// Evaluates queries merged by the part of their id before the last underscore: a document's score is its highest
/// one among the members, the judgements are those of the last member.
pub fn max_over_subqueries<I: DocumentIds + ?Sized>(
    query_ids: &[&str],
    queries: &[Outcome<'_>],
    ids: &I,
    cuts: &[usize],
) -> Evaluation {
    let groups = group_by(query_ids, before_last_underscore);
    let merged: Vec<Vec<Found>> = groups
        .iter()
        .map(|(_, members)| highest(members.iter().flat_map(|&query| queries[query].found)))
        .collect();
    let outcomes: Vec<Outcome<'_>> = groups
        .iter()
        .zip(&merged)
        .filter_map(|((_, members), found)| {
            let last = members.last()?;
            Some(Outcome { found, judgements: queries[*last].judgements })
        })
        .collect();
    evaluate(&outcomes, ids, cuts)
}

/// The places of the first subquery of each query, in the order in which [`max_over_subqueries`] measures queries.
pub fn first_subqueries(query_ids: &[&str]) -> Vec<usize> {
    let groups = group_by(query_ids, before_last_underscore);
    groups.into_iter().filter_map(|(_, members)| members.first().copied()).collect()
}

/// Each document once, in order of first appearance, with its highest score.
fn highest<'a>(found: impl Iterator<Item = &'a Found>) -> Vec<Found> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut merged: Vec<Found> = Vec::new();
    for &(document, score) in found {
        let place = *places.entry(document).or_insert(merged.len());
        match merged.get_mut(place) {
            Some((_, best)) => *best = if *best > score { *best } else { score },
            None => merged.push((document, score)),
        }
    }
    merged
}
