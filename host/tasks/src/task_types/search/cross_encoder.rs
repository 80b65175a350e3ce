//! Orders each query's candidates by a model that reads query and document together.

use mteb_data::Texts;
use mteb_measures::ranking::Found;

use super::candidates::CandidateLists;
use super::plan::SearchPlan;
use super::results::as_map;
use crate::{EvaluateError, Session};

/// Pairs that are handed to the model together.
const PAIRS: usize = 4096;

/// All candidates of each query id with the model's scores.
pub(super) fn rerank(
    plan: &SearchPlan,
    lists: &CandidateLists,
    session: &mut dyn Session,
) -> Result<Vec<Vec<Found>>, EvaluateError> {
    session.phase("Encoding queries and documents");
    let pairs: Vec<(usize, u32)> = lists
        .encoded
        .iter()
        .enumerate()
        .flat_map(|(row, candidates)| candidates.iter().map(move |&candidate| (row, candidate)))
        .collect();
    let mut scores = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(PAIRS) {
        scores.extend(predict(plan, &lists.texts.texts, pairs, session)?);
    }
    let mut scored = vec![Vec::new(); plan.query_ids.len()];
    for ((row, candidate), score) in pairs.into_iter().zip(scores) {
        scored[plan.query_places[row]].push((lists.documents[candidate as usize], score));
    }
    Ok(scored.into_iter().map(as_map).collect())
}

fn predict(
    plan: &SearchPlan,
    candidates: &Texts,
    pairs: &[(usize, u32)],
    session: &mut dyn Session,
) -> Result<Vec<f32>, EvaluateError> {
    let queries: Texts = pairs.iter().map(|&(row, _)| &plan.queries.texts[row]).collect();
    let documents: Texts = pairs.iter().map(|&(_, candidate)| &candidates[candidate as usize]).collect();
    let scores = session.predict(&queries, &documents)?.ok_or_else(|| {
        EvaluateError::Model("expected the model to score pairs of texts, found that it cannot".to_owned())
    })?;
    match scores.iter().position(|score| score.is_nan()) {
        _ if scores.len() != pairs.len() => Err(EvaluateError::Model(format!(
            "expected a score for each of {} pairs, found {}",
            pairs.len(),
            scores.len()
        ))),
        Some(pair) => Err(EvaluateError::Model(format!(
            "the score of query `{}` with a candidate is not a number",
            plan.query_ids[plan.query_places[pairs[pair].0]]
        ))),
        None => Ok(scores),
    }
}
