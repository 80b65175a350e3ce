//! Full search: the best documents of every query in a chunk of the corpus.

use mteb_measures::ranking::DocumentIds;

use crate::error::SearchError;
use crate::plain::Plain;
use crate::product::Block;
use crate::rows::{prepare, squared_norms};
use crate::screen::Screen;
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
    screen: Option<Screen>,
}

impl Search {
    /// A search for the `depth` best documents of each row of `queries` (row-major, `dimension` numbers a row).
    pub fn new(kind: Similarity, queries: Vec<f32>, dimension: usize, depth: usize) -> Self {
        Self::with(Kernel::detect(), kind, queries, dimension, depth)
    }

    /// A search that screens with the given kernel, or not at all.
    pub(crate) fn with(
        kernel: Option<Kernel>,
        kind: Similarity,
        mut queries: Vec<f32>,
        dimension: usize,
        depth: usize,
    ) -> Self {
        prepare(kind, &mut queries, dimension);
        let norms = norms(kind, &queries, dimension);
        let product = matches!(kind, Similarity::Cosine | Similarity::Dot);
        let mut search = Self { kind, queries, norms, dimension, depth, screen: None };
        search.screen = kernel.filter(|_| product).and_then(|kernel| Screen::new(kernel, search.block()));
        search
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
        let screened = Screen::pays(self.queries(), count, self.depth, floors);
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
        let screen = self.screen.as_ref().filter(|_| screened);
        match screen.and_then(|screen| screen.best(self.block(), documents, self.depth, first, ids, floors)) {
            Some(found) => self.complete(found, &plain, floors),
            None => plain.best(self.block(), floors),
        }
    }

    /// Searches without screening for the queries that screening gave up.
    fn complete<I: DocumentIds + ?Sized>(
        &self,
        found: Vec<Option<Vec<Scored>>>,
        plain: &Plain<'_, I>,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let open: Vec<usize> = (0..found.len()).filter(|&query| found[query].is_none()).collect();
        let rows: Vec<f32> = open.iter().flat_map(|&query| self.block().row(query)).copied().collect();
        let floors: Vec<f32> = open.iter().map(|&query| floors[query]).collect();
        let queries = Block { rows: &rows, norms: &[], dimension: self.dimension };
        let mut rest = plain.best(queries, &floors)?.into_iter();
        Ok(found.into_iter().map(|found| found.or_else(|| rest.next()).unwrap_or_default()).collect())
    }

    fn block(&self) -> Block<'_> {
        Block { rows: &self.queries, norms: &self.norms, dimension: self.dimension }
    }
}

fn norms(kind: Similarity, rows: &[f32], dimension: usize) -> Vec<f32> {
    if kind == Similarity::Euclidean { squared_norms(rows, dimension) } else { Vec::new() }
}
