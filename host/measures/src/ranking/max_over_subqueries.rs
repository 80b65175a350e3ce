//! Measures after merging the subqueries of a query (MindSmallReranking).

use std::collections::HashMap;

use super::groups::{before_last_underscore, group_by};
use super::{DocumentIds, Evaluation, Found, Outcome, evaluate};

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
