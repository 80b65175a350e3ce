//! Documents that are never found for a query (protocol 7.1).

use std::collections::HashSet;

use mteb_data::DataError;
use mteb_measures::ranking::DocumentIds;

use super::given_lists::GivenLists;
use super::results::Results;
use crate::{Part, Unit};

/// The ids of the documents that each query must not find.
#[derive(Default)]
pub(super) struct Excluded(Vec<HashSet<String>>);

impl Excluded {
    /// The lists of `unit` for the queries called `query_ids`.
    ///
    /// # Errors
    /// If a cell is no list of ids.
    pub fn new(unit: &Unit, query_ids: &[String]) -> Result<Self, DataError> {
        let Some(table) = unit.get(Part::Excluded) else { return Ok(Self::default()) };
        let lists = GivenLists::new(table)?;
        let of = |query: &String| lists.get(query).unwrap_or_default().iter().cloned().collect();
        Ok(Self(query_ids.iter().map(of).collect()))
    }

    /// The length of the longest list: so many more documents must be found.
    pub fn most(&self) -> usize {
        self.0.iter().map(HashSet::len).max().unwrap_or(0)
    }

    /// Keeps of each query the `depth` best documents that are not excluded.
    pub fn leave_out(&self, results: &mut Results<'_>, depth: usize) {
        let Results { found, ids } = results;
        for (found, excluded) in found.iter_mut().zip(&self.0) {
            found.retain(|&(document, _)| !excluded.contains(ids.id(document)));
        }
        if !self.0.is_empty() {
            results.cut(depth);
        }
    }
}
