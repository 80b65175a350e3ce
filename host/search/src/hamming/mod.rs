//! Exact search over bits: the documents that differ from a query in the fewest places.

mod bits;
mod kernel;

use std::cmp::Ordering;

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

pub use bits::Bits;
use bits::{GROUP, Groups};

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

/// Keeps the `depth` documents of the smallest distance, of equal ones those with the larger id.
#[derive(Clone, Debug)]
struct Nearest {
    depth: usize,
    /// Distances above it are not looked at.
    limit: u32,
    /// Distances and documents; twice as many as are wanted gather before the farther half goes.
    found: Vec<(u32, u32)>,
}

impl Nearest {
    /// Nothing yet; scores below `floor` are not wanted.
    pub fn new(depth: usize, floor: f32) -> Self {
        // A floor of minus infinity lets everything in; the cast keeps within bounds.
        Self { depth, limit: (-floor).floor().max(0.0) as u32, found: Vec::new() }
    }

    /// The largest distance that may still be wanted.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Takes in a document, if it is near enough.
    pub fn offer<I: DocumentIds + ?Sized>(&mut self, document: u32, distance: u32, ids: &I) {
        if distance > self.limit || self.depth == 0 {
            return;
        }
        self.found.push((distance, document));
        if self.found.len() >= 2 * self.depth.max(8) {
            self.prune(ids);
        }
    }

    /// Takes in what another list has.
    pub fn append<I: DocumentIds + ?Sized>(&mut self, other: Self, ids: &I) {
        other.found.into_iter().for_each(|(distance, document)| self.offer(document, distance, ids));
    }

    /// Scores and documents, best first.
    pub fn best_first<I: DocumentIds + ?Sized>(mut self, ids: &I) -> Vec<Scored> {
        self.found.sort_unstable_by(|one, other| order(ids, one, other));
        self.found.truncate(self.depth);
        self.found.into_iter().map(|(distance, document)| (document, -(distance as f32))).collect()
    }

    fn prune<I: DocumentIds + ?Sized>(&mut self, ids: &I) {
        if self.found.len() > self.depth {
            self.found.select_nth_unstable_by(self.depth - 1, |one, other| order(ids, one, other));
            self.found.truncate(self.depth);
            self.limit = self.found.last().map_or(self.limit, |&(distance, _)| distance.min(self.limit));
        }
    }
}

/// Nearer first, then the larger id.
fn order<I: DocumentIds + ?Sized>(ids: &I, one: &(u32, u32), other: &(u32, u32)) -> Ordering {
    one.0.cmp(&other.0).then_with(|| ids.id(other.1).cmp(ids.id(one.1)))
}
