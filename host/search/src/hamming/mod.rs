//! Exact search over bits: the documents that differ from a query in the fewest places.

mod bits;
mod kernel;
mod nearest;

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

pub use bits::Bits;
use bits::{GROUP, Groups};
use nearest::Nearest;

use crate::{Scored, SearchError};

/// Documents that are laid out and compared together; with 1,024 bits they fit into the second cache.
const TILE: usize = 2048;

/// Queries, ready to be compared with documents by Hamming distance.
#[derive(Clone, Debug)]
pub struct HammingSearch {
    queries: Bits,
    depth: usize,
}

impl HammingSearch {
    /// A search for the `depth` nearest documents of each row of `queries`.
    pub fn new(queries: Bits, depth: usize) -> Self {
        Self { queries, depth }
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        self.queries.rows()
    }

    /// The nearest documents of each query: scores are minus the number of places that differ, largest (score, id) first.
    ///
    /// The rows are the documents `first`, `first + 1`, … of `ids`; what scores below a query's floor is not wanted.
    ///
    /// # Errors
    /// If the rows have another number of bits.
    pub fn best<I: DocumentIds + ?Sized>(
        &self,
        documents: &Bits,
        first: u32,
        ids: &I,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        if documents.dimension() != self.queries.dimension() {
            let (queries, documents) = (self.queries.dimension(), documents.dimension());
            return Err(SearchError::Dimension { queries, documents });
        }
        let rows = documents.rows();
        // A few long runs of documents: each needs lists of its own.
        let run = rows.div_ceil(rayon::current_num_threads().max(1)).next_multiple_of(TILE).max(TILE);
        let starts: Vec<usize> = (0..rows).step_by(run).collect();
        let runs: Vec<Vec<Nearest>> = starts
            .par_iter()
            .map(|&start| self.run(documents, start..(start + run).min(rows), first, ids, floors))
            .collect();
        let mut found: Vec<Nearest> = floors.iter().map(|&floor| Nearest::new(self.depth, floor)).collect();
        for run in runs {
            found.par_iter_mut().zip(run).for_each(|(found, run)| found.append(run, ids));
        }
        Ok(found.into_par_iter().map(|found| found.best_first(ids)).collect())
    }

    /// The nearest documents of a run of rows.
    fn run<I: DocumentIds + ?Sized>(
        &self,
        documents: &Bits,
        rows: std::ops::Range<usize>,
        first: u32,
        ids: &I,
        floors: &[f32],
    ) -> Vec<Nearest> {
        let mut found: Vec<Nearest> = floors.iter().map(|&floor| Nearest::new(self.depth, floor)).collect();
        let mut groups = Groups::default();
        for start in rows.clone().step_by(TILE) {
            let tile = start..(start + TILE).min(rows.end);
            groups.fill(documents, tile.clone());
            for (query, nearest) in found.iter_mut().enumerate() {
                self.tile(&groups, query, first + tile.start as u32, tile.len(), nearest, ids);
            }
        }
        found
    }

    fn tile<I: DocumentIds + ?Sized>(
        &self,
        groups: &Groups,
        query: usize,
        first: u32,
        count: usize,
        nearest: &mut Nearest,
        ids: &I,
    ) {
        let query = self.queries.row(query);
        let mut distances = [0u32; GROUP];
        for (number, group) in groups.all().enumerate() {
            if !kernel::within(query, group, nearest.limit(), &mut distances) {
                continue;
            }
            let document = first + (number * GROUP) as u32;
            let there = GROUP.min(count - number * GROUP);
            for (lane, &distance) in distances[..there].iter().enumerate() {
                nearest.offer(document + lane as u32, distance, ids);
            }
        }
    }
}
