//! Orders each query's candidates by the similarity of embeddings (protocol 7.2).
//!
//! The reference encodes the whole corpus here; only the candidates are encoded, which gives the same scores.

use mteb_measures::ranking::Found;
use mteb_search::{Bits, Candidates, Heap, Scored};
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
    let scorer = Scorer::new(plan, session, queries, corpus);
    plan.rows_by_place()
        .into_par_iter()
        .map(|rows| {
            let mut heap = Heap::new(usize::MAX);
            for row in rows {
                let scored = scorer.scored(plan, lists, row);
                if scored.iter().any(|(_, score)| score.is_nan()) {
                    return Err(EvaluateError::Model(not_a_number(plan, row)));
                }
                push_best(plan, &mut heap, scored, depth);
            }
            Ok(as_map(heap.into_items()))
        })
        .collect()
}

/// Scores candidates by the similarity of embeddings, or by bits first and then by the numbers of the query.
enum Scorer {
    Similarity { queries: Matrix, candidates: Candidates },
    Rescored { queries: Matrix, query_bits: Bits, bits: Bits, pool: usize },
}

impl Scorer {
    fn new(plan: &SearchPlan, session: &dyn Session, queries: Matrix, corpus: Matrix) -> Self {
        let Matrix { values, dimension } = corpus;
        match session.rescore_multiplier() {
            None => {
                let candidates = Candidates::new(session.similarity(), values, dimension);
                Self::Similarity { queries, candidates }
            }
            Some(multiplier) => Self::Rescored {
                query_bits: Bits::new(&queries.values, dimension),
                bits: Bits::new(&values, dimension),
                pool: plan.rescored(multiplier),
                queries,
            },
        }
    }

    /// The candidates of query row `row` with their scores, those left out that bits put too far behind.
    fn scored(&self, plan: &SearchPlan, lists: &CandidateLists, row: usize) -> Vec<Scored> {
        match self {
            Self::Similarity { queries, candidates } => {
                let scores = candidates.scores(queries.row(row), &lists.encoded[row]);
                lists.documents(row).zip(scores).collect()
            }
            Self::Rescored { queries, query_bits, bits, pool } => {
                let mut found: Vec<(Scored, usize)> = lists
                    .documents(row)
                    .zip(&lists.encoded[row])
                    .map(|(document, &place)| {
                        let place = place as usize;
                        ((document, -(query_bits.distance(row, bits, place) as f32)), place)
                    })
                    .collect();
                found.sort_by(|&(a, _), &(b, _)| plan.compare(b, a));
                found.truncate(*pool);
                let rescored = |((document, _), place)| (document, bits.dot(place, queries.row(row)));
                found.into_iter().map(rescored).collect()
            }
        }
    }
}

/// Pushes the best of `scored`, best first, as the reference does.
fn push_best(plan: &SearchPlan, heap: &mut Heap, mut scored: Vec<Scored>, depth: usize) {
    scored.sort_by(|&a, &b| plan.compare(b, a));
    scored.truncate(depth);
    scored.into_iter().for_each(|item| heap.push(&plan.documents, item));
}
