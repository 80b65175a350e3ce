//! Orders each query's candidates by a model that reads query and document together.

use std::collections::BTreeMap;

use mteb_base::counted::count;
use mteb_data::Texts;
use mteb_measures::ranking::Found;
use mteb_search::Scored;

use super::candidates::CandidateLists;
use super::plan::SearchPlan;
use super::results::as_map;
use crate::{EvaluateError, FoundInRange, FoundInRanges, RANGE_PAIRS, Ranges, Session};

/// Pairs that are handed to the model together. Ranges begin where these do, so that several machines hand over what one does.
const PAIRS: usize = RANGE_PAIRS as usize / 8;

const PHASE: &str = "Encoding queries and documents";

/// A query row, and the row of one of its candidates.
type Pair = (usize, u32);

/// All candidates of each query id with the model's scores.
pub(super) fn rerank(
    plan: &SearchPlan,
    lists: &CandidateLists,
    session: &mut dyn Session,
) -> Result<Vec<Vec<Found>>, EvaluateError> {
    session.phase(PHASE);
    let pairs = pairs(lists);
    let found = rows(plan, &pairs, scores(plan, lists, &pairs, session)?);
    Ok(by_query(plan, lists, found))
}

/// The candidates of each query row in these `ranges` of all pairs, with the model's scores.
pub(super) fn rerank_ranges(
    plan: &SearchPlan,
    lists: &CandidateLists,
    session: &mut dyn Session,
    ranges: &Ranges,
) -> Result<FoundInRanges, EvaluateError> {
    session.phase(PHASE);
    let pairs = pairs(lists);
    let mut found = BTreeMap::new();
    for (number, pairs) in (0..).zip(pairs.chunks(RANGE_PAIRS as usize)) {
        if ranges.has(number) {
            let found_here = rows(plan, pairs, scores(plan, lists, pairs, session)?);
            found.insert(number, FoundInRange { found: found_here, ..FoundInRange::default() });
        }
    }
    let (depth, queries, documents) = size(plan, lists);
    Ok(FoundInRanges { depth, queries, documents, ranges: found })
}

/// All candidates of each query id, with the scores that were `found` in all ranges.
pub(super) fn join(
    plan: &SearchPlan,
    lists: &CandidateLists,
    found: &FoundInRanges,
) -> Result<Vec<Vec<Found>>, EvaluateError> {
    let mut joined = vec![Vec::new(); plan.query_places.len()];
    for range in found.ranges.values() {
        joined.iter_mut().zip(&range.found).for_each(|(joined, found)| joined.extend(found));
    }
    let has_all = |(found, list): (&Vec<Scored>, &Vec<u32>)| found.iter().map(|(row, _)| row).eq(list);
    let is_same = size(plan, lists) == (found.depth, found.queries, found.documents);
    if is_same && joined.iter().zip(&lists.encoded).all(has_all) {
        return Ok(by_query(plan, lists, joined));
    }
    Err(EvaluateError::Unscorable(format!(
        "{}: expected the scores of {} of queries and candidates, found {} or those of others; remove the ranges and run \
         their shards again",
        plan.unit,
        count(lists.encoded.iter().map(Vec::len).sum::<usize>(), "pair"),
        joined.iter().map(Vec::len).sum::<usize>()
    )))
}

/// What one reranking is told from another by: documents of the longest list, query rows, and all documents of lists.
fn size(plan: &SearchPlan, lists: &CandidateLists) -> (usize, usize, u32) {
    let longest = lists.encoded.iter().map(Vec::len).max().unwrap_or(0);
    (longest, plan.query_places.len(), u32::try_from(lists.documents.len()).unwrap_or(u32::MAX))
}

/// All pairs, query row by query row.
fn pairs(lists: &CandidateLists) -> Vec<Pair> {
    let of_row = |(row, candidates)| {
        let candidates: &Vec<u32> = candidates;
        candidates.iter().map(move |&candidate| (row, candidate))
    };
    lists.encoded.iter().enumerate().flat_map(of_row).collect()
}

/// What the model says of `pairs`.
fn scores(
    plan: &SearchPlan,
    lists: &CandidateLists,
    pairs: &[Pair],
    session: &mut dyn Session,
) -> Result<Vec<f32>, EvaluateError> {
    let mut scores = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(PAIRS) {
        scores.extend(predict(plan, &lists.texts.texts, pairs, session)?);
    }
    Ok(scores)
}

/// The candidates of each query row with their scores.
fn rows(plan: &SearchPlan, pairs: &[Pair], scores: Vec<f32>) -> Vec<Vec<Scored>> {
    let mut rows = vec![Vec::new(); plan.query_places.len()];
    pairs.iter().zip(scores).for_each(|(&(row, candidate), score)| rows[row].push((candidate, score)));
    rows
}

/// The documents of each query id, of candidates by query row.
fn by_query(plan: &SearchPlan, lists: &CandidateLists, found: Vec<Vec<Scored>>) -> Vec<Vec<Found>> {
    let mut scored = vec![Vec::new(); plan.query_ids.len()];
    for (found, &place) in found.into_iter().zip(&plan.query_places) {
        let documents = found.into_iter().map(|(row, score)| (lists.documents[row as usize], score));
        scored[place].extend(documents);
    }
    scored.into_iter().map(as_map).collect()
}

fn predict(
    plan: &SearchPlan,
    candidates: &Texts,
    pairs: &[Pair],
    session: &mut dyn Session,
) -> Result<Vec<f32>, EvaluateError> {
    let queries: Texts = pairs.iter().map(|&(row, _)| &plan.queries.texts[row]).collect();
    let documents: Texts = pairs.iter().map(|&(_, candidate)| &candidates[candidate as usize]).collect();
    let scores = session.predict(&queries, &documents)?.ok_or_else(|| {
        EvaluateError::Model("expected the model to score pairs of texts, found that it cannot".to_owned())
    })?;
    match scores.iter().position(|score| score.is_nan()) {
        _ if scores.len() != pairs.len() => Err(EvaluateError::Model(format!(
            "expected a score for each of {}, found {}",
            count(pairs.len(), "pair"),
            scores.len()
        ))),
        Some(pair) => Err(EvaluateError::Model(format!(
            "the score of query `{}` with a candidate is not a number",
            plan.query_ids[plan.query_places[pairs[pair].0]]
        ))),
        None => Ok(scores),
    }
}
