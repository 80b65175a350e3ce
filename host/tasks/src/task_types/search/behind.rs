//! A first stage found documents, a reranker reorders the best of them, and the others stay behind those in their order.

use std::collections::BTreeMap;

use mteb_data::{Column, DataError, Table};
use mteb_items::rankings::{Ranked, Rankings};
use mteb_measures::ranking::Found;
use serde_json::Value;

use super::results::DocumentNumbers;
use crate::{Part, Unit};

/// The unit with the best `depth` documents of each query of `rankings` as its candidates, whatever it had; the others are behind them.
///
/// By falling scores: equal ones in the order of a prediction file, as the reference's `convert_to_reranking` has it, and by falling ids
/// in a run file, as trec_eval has it.
///
/// # Errors
/// If no table can be made of them.
pub fn with_first_stage(mut unit: Unit, rankings: &Rankings, depth: usize) -> Result<Unit, DataError> {
    let (mut queries, mut lists) = (Vec::new(), Vec::new());
    unit.behind = BTreeMap::new();
    let id = |ranked: &Ranked| &rankings.documents[ranked.document as usize];
    for (query, found) in rankings.queries.iter().zip(&rankings.found) {
        let mut best = found.clone();
        best.sort_by(|a, b| {
            let by_id = if rankings.is_in_order { std::cmp::Ordering::Equal } else { id(b).cmp(id(a)) };
            b.score.total_cmp(&a.score).then(by_id)
        });
        let mut documents = best.iter().map(|ranked| id(ranked).to_owned());
        lists.push(Value::from(documents.by_ref().take(depth).collect::<Vec<String>>()));
        unit.behind.insert(query.clone(), documents.collect());
        queries.push(Value::from(query.as_str()));
    }
    let columns = [("query-id", queries), ("corpus-ids", lists)];
    let columns = columns.map(|(name, cells)| (name.to_owned(), Column::Any(cells))).to_vec();
    unit.parts.insert(Part::TopRanked, Table::new(rankings.source.clone(), columns)?);
    Ok(unit)
}

/// The documents behind the candidates of each query, best first.
#[derive(Default)]
pub(super) struct Behind(Vec<Vec<u32>>);

impl Behind {
    /// Those of the queries called `query_ids`; none where nothing was ranked before.
    pub fn new(unit: &Unit, query_ids: &[String], numbers: &mut DocumentNumbers) -> Self {
        if unit.behind.is_empty() {
            return Self::default();
        }
        let mut numbered = |ids: &Vec<String>| ids.iter().map(|id| numbers.number(id)).collect();
        let of = |query: &String| unit.behind.get(query).map(&mut numbered).unwrap_or_default();
        Self(query_ids.iter().map(of).collect())
    }

    /// Puts them behind what was `found` of each query, in their order and with scores below all others.
    pub fn append(&self, found: &mut [Vec<Found>]) {
        for (found, behind) in found.iter_mut().zip(&self.0) {
            let lowest = found.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
            let below = if lowest.is_finite() { lowest.floor() } else { 0.0 };
            found.extend((1u32..).zip(behind).map(|(rank, document)| (*document, below - f64::from(rank))));
        }
    }

    /// What was found of the query at `place` but for them: the reference knows no others, so that they tell nothing of how sure the
    /// reranker is.
    pub fn before<'a>(&self, place: usize, found: &'a [Found]) -> std::borrow::Cow<'a, [Found]> {
        match self.0.get(place) {
            Some(behind) if !behind.is_empty() => {
                let behind: std::collections::HashSet<u32> = behind.iter().copied().collect();
                found
                    .iter()
                    .filter(|(document, _)| !behind.contains(document))
                    .copied()
                    .collect::<Vec<_>>()
                    .into()
            }
            _ => found.into(),
        }
    }

    /// True if no query has any.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}
