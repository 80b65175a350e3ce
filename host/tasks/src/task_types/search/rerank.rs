//! Orders each query's candidates by the similarity of embeddings (protocol 7.2).
//!
//! The reference encodes the whole corpus here; only the candidates are encoded, which gives the same scores.

use mteb_measures::ranking::Found;
use mteb_search::{Bits, Heap, PieceScores, Scored};
use rayon::prelude::*;

use super::candidates::CandidateLists;
use super::full_search::not_a_number;
use super::plan::SearchPlan;
use super::results::as_map;
use crate::{Embeddings, EvaluateError, Matrix, Queries, Session};

/// The `depth` best candidates of each query id.
pub(super) fn rerank(
    plan: &SearchPlan,
    lists: &CandidateLists,
    session: &mut dyn Session,
    depth: usize,
) -> Result<Vec<Vec<Found>>, EvaluateError> {
    let queries = session.embed(&plan.queries, 0..plan.queries.texts.len())?;
    let corpus = match lists.texts.texts.len() {
        0 => queries.none(),
        documents => session.embed(&lists.texts, 0..documents)?,
    };
    session.phase("Computing similarity");
    let scorer = Scorer::new(plan, session, queries, corpus)?;
    plan.rows_by_place()
        .into_par_iter()
        .map(|rows| {
            let mut heap = Heap::new(usize::MAX);
            for row in rows {
                let scored = scorer.score_candidates(plan, lists, row);
                if scored.iter().any(|(_, score)| score.is_nan()) {
                    return Err(EvaluateError::Model(not_a_number(plan, row)));
                }
                push_best(plan, &mut heap, scored, depth);
            }
            Ok(as_map(heap.into_items()))
        })
        .collect()
}

/// Scores candidates by the similarity of embeddings of any form, or by bits first and then by the numbers of the query.
enum Scorer {
    Similarity(Box<dyn PieceScores>),
    Rescored { queries: Matrix, query_bits: Bits, bits: Bits, pool: usize },
}

impl Scorer {
    fn new(
        plan: &SearchPlan,
        session: &dyn Session,
        queries: Embeddings,
        corpus: Embeddings,
    ) -> Result<Self, EvaluateError> {
        let Some(multiplier) = session.rescore_multiplier() else {
            return Ok(Self::Similarity(Queries::new(session.similarity(), queries).scores(corpus)?));
        };
        let (queries, corpus) = (queries.into_dense()?, corpus.into_dense()?);
        Ok(Self::Rescored {
            query_bits: Bits::new(&queries.values, corpus.dimension),
            bits: Bits::new(&corpus.values, corpus.dimension),
            pool: plan.rescored(multiplier),
            queries,
        })
    }

    /// The candidates of query row `row` with their scores, without those that bits put too far behind.
    fn score_candidates(&self, plan: &SearchPlan, lists: &CandidateLists, row: usize) -> Vec<Scored> {
        match self {
            Self::Similarity(scores) => {
                lists.documents(row).zip(scores.of(row, &lists.encoded[row])).collect()
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
