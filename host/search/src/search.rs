//! Full search: the best documents of every query in a chunk of the corpus.

use mteb_measures::ranking::DocumentIds;

use crate::best::SearchError;
use crate::plain::Plain;
use crate::product::Block;
use crate::row_sums::{prepare, squared_norms};
use crate::screen::Ladder;
use crate::screen::kernel::Kernel;
use crate::{Scored, Similarity};

/// Queries, ready to be compared with documents.
#[derive(Clone, Debug)]
pub struct Search {
    kind: Similarity,
    queries: Vec<f32>,
    norms: Vec<f32>,
    dimension: usize,
    depth: usize,
    ladder: Ladder,
}

impl Search {
    /// A search for the `depth` best documents of each row of `queries` (row-major, `dimension` numbers per row).
    pub fn new(kind: Similarity, queries: Vec<f32>, dimension: usize, depth: usize) -> Self {
        Self::with(Kernel::detect(), kind, queries, dimension, depth)
    }

    /// A search that screens with the given kernels, the first of them first, or not at all if there are none.
    pub(crate) fn with(
        kernels: &'static [Kernel],
        kind: Similarity,
        mut queries: Vec<f32>,
        dimension: usize,
        depth: usize,
    ) -> Self {
        prepare(kind, &mut queries, dimension);
        let norms = norms(kind, &queries, dimension);
        let product = kind.is_product();
        let block = Block { rows: &queries, norms: &norms, dimension };
        let ladder = Ladder::new(if product { kernels } else { &[] }, block);
        Self { kind, queries, norms, dimension, depth, ladder }
    }

    /// Names of the kernels that have run so far, the fastest first, and how many queries each was asked, counted once a chunk of
    /// documents: what one cannot tell apart is asked of the next, and at last of the product in f32.
    pub fn ran(&self) -> Vec<(&'static str, u64)> {
        self.ladder.ran()
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        self.queries.len() / self.dimension.max(1)
    }

    /// The best documents of each query among the rows of `documents`, largest (score, id) first.
    ///
    /// The rows are the documents `first`, `first + 1`, … of `ids`; under the cosine they are left normalised. `floors`
    /// holds a score a query below which nothing is wanted (minus infinity for all). The result does not depend on how
    /// the corpus is cut into chunks.
    ///
    /// # Errors
    /// If the dimensions differ or a similarity is not a number.
    pub fn best<I: DocumentIds + ?Sized>(
        &self,
        documents: &mut [f32],
        dimension: usize,
        first: u32,
        ids: &I,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let count = documents.len() / dimension.max(1);
        let screened = Ladder::pays(self.queries(), count, self.depth, floors);
        self.best_of(documents, dimension, first, ids, floors, screened)
    }

    /// [`Self::best`], screened or not.
    pub(crate) fn best_of<I: DocumentIds + ?Sized>(
        &self,
        documents: &mut [f32],
        dimension: usize,
        first: u32,
        ids: &I,
        floors: &[f32],
        screened: bool,
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        if dimension != self.dimension {
            return Err(SearchError::Dimension { queries: self.dimension, documents: dimension });
        }
        prepare(self.kind, documents, dimension);
        let norms = norms(self.kind, documents, dimension);
        let documents = Block { rows: documents, norms: &norms, dimension };
        let plain = Plain { kind: self.kind, documents, first, ids, depth: self.depth };
        if screened {
            self.ladder.best(self.block(), &plain, floors)
        } else {
            self.ladder.plain(self.block(), &plain, floors)
        }
    }

    fn block(&self) -> Block<'_> {
        Block { rows: &self.queries, norms: &self.norms, dimension: self.dimension }
    }
}

fn norms(kind: Similarity, rows: &[f32], dimension: usize) -> Vec<f32> {
    if kind.needs_norms() { squared_norms(rows, dimension) } else { Vec::new() }
}
