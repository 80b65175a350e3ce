//! Searches the whole corpus, a chunk at a time (protocol 7.1).

use mteb_measures::ranking::Found;
use mteb_search::{Heap, Scored, Search, SearchError};
use rayon::prelude::*;

use super::plan::SearchPlan;
use super::results::as_map;
use crate::{EvaluateError, Matrix, Session};

/// Documents that are encoded and searched together; bounds the memory and is part of the protocol.
const CHUNK: usize = 50_000;

/// The best documents of each query id.
pub(super) fn search(plan: &SearchPlan, session: &mut dyn Session) -> Result<Vec<Vec<Found>>, EvaluateError> {
    let queries = session.encode(&plan.queries, 0..plan.queries.texts.len())?;
    let depth = plan.depth();
    let search = Search::new(session.similarity(), queries.values, queries.dimension, depth);
    let mut heaps = vec![Heap::new(depth); plan.query_ids.len()];
    for start in (0..plan.corpus.texts.len()).step_by(CHUNK) {
        let end = (start + CHUNK).min(plan.corpus.texts.len());
        let Matrix { values, dimension } = session.encode(&plan.corpus, start..end)?;
        let floors: Vec<f32> = plan.query_places.iter().map(|&place| heaps[place].floor()).collect();
        let best = search
            .best(values, dimension, start as u32, &plan.ids, &floors)
            .map_err(|error| model_error(plan, &error))?;
        merge(plan, &mut heaps, best);
    }
    Ok(heaps.into_par_iter().map(|heap| found(plan, heap)).collect())
}

/// What a heap holds; a document may be in it twice only if ids occur twice.
fn found(plan: &SearchPlan, heap: Heap) -> Vec<Found> {
    let items = heap.into_items().into_iter();
    if plan.duplicates.is_none() && plan.query_ids.len() == plan.query_places.len() {
        return items.map(|(document, score)| (document, f64::from(score))).collect();
    }
    as_map(items, plan.duplicates.as_deref())
}

/// Pushes what each query row found into the heap of its id.
fn merge(plan: &SearchPlan, heaps: &mut [Heap], best: Vec<Vec<Scored>>) {
    let rows_by_place = plan.rows_by_place();
    heaps.par_iter_mut().zip(&rows_by_place).for_each(|(heap, rows)| {
        for &item in rows.iter().flat_map(|&row| &best[row]) {
            heap.push(&plan.ids, item);
        }
    });
}

fn model_error(plan: &SearchPlan, error: &SearchError) -> EvaluateError {
    EvaluateError::Model(match error {
        SearchError::NotANumber { query } => not_a_number(plan, *query),
        other => other.to_string(),
    })
}

/// The message that a similarity of query row `row` is not a number.
pub(super) fn not_a_number(plan: &SearchPlan, row: usize) -> String {
    format!(
        "the similarity of query `{}` with a document is not a number: an embedding is not finite or too large",
        plan.query_ids[plan.query_places[row]]
    )
}
