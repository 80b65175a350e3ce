//! Orders each query's candidates by the similarity of embeddings (protocol 7.2).
//!
//! The reference encodes the whole corpus here; only the candidates are encoded, which gives the same scores.

use mteb_measures::ranking::Found;
use mteb_search::{Candidates, Heap, Scored};
use rayon::prelude::*;

use super::candidates::CandidateLists;
use super::full_search::not_a_number;
use super::plan::SearchPlan;
use super::results::as_map;
use crate::{EvaluateError, Matrix, Session};

/// The `depth` best candidates of each query id.
pub(super) fn rerank(
    plan: &SearchPlan,
    lists: &CandidateLists,
    session: &mut dyn Session,
    depth: usize,
) -> Result<Vec<Vec<Found>>, EvaluateError> {
    let queries = session.encode(&plan.queries, 0..plan.queries.texts.len())?;
    let corpus = match lists.texts.texts.len() {
        0 => Matrix { values: Vec::new(), dimension: queries.dimension },
        documents => session.encode(&lists.texts, 0..documents)?,
    };
    if corpus.dimension != queries.dimension {
        return Err(EvaluateError::Model(format!(
            "expected document embeddings of {} numbers, as the queries have, found {}",
            queries.dimension, corpus.dimension
        )));
    }
    session.phase("Computing similarity");
    let candidates = Candidates::new(session.similarity(), corpus.values, corpus.dimension);
    plan.rows_by_place()
        .into_par_iter()
        .map(|rows| {
            let mut heap = Heap::new(usize::MAX);
            for row in rows {
                let scores = candidates.scores(queries.row(row), &lists.encoded[row]);
                if scores.iter().any(|score| score.is_nan()) {
                    return Err(EvaluateError::Model(not_a_number(plan, row)));
                }
                push_best(plan, &mut heap, lists.documents(row).zip(scores).collect(), depth);
            }
            Ok(as_map(heap.into_items()))
        })
        .collect()
}

/// Pushes the best of `scored`, best first, as the reference does.
fn push_best(plan: &SearchPlan, heap: &mut Heap, mut scored: Vec<Scored>, depth: usize) {
    scored.sort_by(|&a, &b| plan.compare(b, a));
    scored.truncate(depth);
    scored.into_iter().for_each(|item| heap.push(&plan.documents, item));
}
