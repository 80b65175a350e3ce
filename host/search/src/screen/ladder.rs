//! Screenings one after the other, from the fastest to the one that tells most documents apart, and then the plain search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mteb_measures::ranking::DocumentIds;

use super::bf16::TileKernel;
use super::integer::IntegerKernel;
use super::kernel::Kernel;
use super::pass::Screen;
use super::rescore::{Rescoring, Screened};
use crate::Scored;
use crate::best::SearchError;
use crate::plain::Plain;
use crate::product::Block;

/// Fewest queries that are worth the rounding of the documents.
const FEWEST_QUERIES: usize = 16;

/// Fewest documents that are worth their rounding.
const FEWEST_DOCUMENTS: usize = 512;

/// One of so many documents may survive before the product in f32 takes over: rescoring one costs as much as some six in a
/// blocked product.
const SHARE_OF_LAST: usize = 6;

/// The same before a finer screening takes over.
const SHARE: usize = 20;

/// Once one of so many queries is given up, the next chunks are left to the next screening.
const GIVEN_UP: usize = 4;

/// Fewest documents a wanted one, in this chunk or before it, with which the first screening is tried: with fewer the floor
/// lies where documents are many, and too many survive.
const SEEN: usize = 64;

/// The queries of a search, and what their documents are screened with.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    kernels: &'static [Kernel],
    first: Option<AnyScreen>,
    pause: Arc<Mutex<Pause>>,
    /// Queries that each kernel has screened, chunk by chunk, and at the end those that f32 alone has answered.
    asked: Arc<[AtomicU64]>,
}

/// How long the first screening is not tried.
#[derive(Debug, Default)]
struct Pause {
    /// Chunks that are still to come before the next trial.
    left: usize,
    /// Chunks between the last two trials.
    length: usize,
}

/// A screening in one of the forms.
#[derive(Clone, Debug)]
enum AnyScreen {
    Tiles(Screen<TileKernel>),
    Integers(Screen<IntegerKernel>),
}

impl Ladder {
    /// Rounds `queries` for the first of `kernels`.
    pub(crate) fn new(kernels: &'static [Kernel], queries: Block<'_>) -> Self {
        let first = kernels.first().and_then(|&kernel| AnyScreen::new(kernel, queries));
        // Numbers outside what the error bound covers are so for every kernel.
        let kernels = if first.is_some() { kernels } else { &[] };
        let asked = (0..=kernels.len()).map(|_| AtomicU64::new(0)).collect();
        Self { kernels, first, pause: Arc::default(), asked }
    }

    /// Whether screening is likely to be faster than a product in f32.
    pub(crate) fn pays(queries: usize, documents: usize, depth: usize, floors: &[f32]) -> bool {
        let few_survive = documents >= 4 * depth || floors.iter().all(|floor| floor.is_finite());
        queries >= FEWEST_QUERIES && documents >= FEWEST_DOCUMENTS && few_survive
    }

    /// What has run so far, in the order of the ladder: the kernels that have screened, the product in f32 where it has answered
    /// what none of them could, and of how many queries, each counted once a chunk.
    pub(crate) fn ran(&self) -> Vec<(&'static str, u64)> {
        let names = self.kernels.iter().map(|kernel| kernel.name()).chain(["f32"]);
        let asked = self.asked.iter().map(|asked| asked.load(Ordering::Relaxed));
        names.zip(asked).filter(|&(_, asked)| asked > 0).collect()
    }

    /// The best documents of each query without any screening.
    pub(crate) fn plain<I: DocumentIds + ?Sized>(
        &self,
        queries: Block<'_>,
        plain: &Plain<'_, I>,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        self.count(self.kernels.len(), queries.len());
        plain.best(queries, floors)
    }

    fn count(&self, step: usize, queries: usize) {
        if let Some(asked) = self.asked.get(step) {
            asked.fetch_add(queries as u64, Ordering::Relaxed);
        }
    }

    /// The best documents of each query, as [`Plain::best`] finds them.
    pub(crate) fn best<I: DocumentIds + ?Sized>(
        &self,
        queries: Block<'_>,
        plain: &Plain<'_, I>,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let seen = plain.documents.len().max(plain.first as usize);
        let is_tried = seen >= SEEN * plain.depth;
        let step = if self.kernels.len() < 2 || is_tried && self.is_over() { 0 } else { 1 };
        self.best_from(step, queries, plain, floors)
    }

    /// The same, beginning with a kernel that is not the first; `queries` may be some of the queries only.
    fn best_from<I: DocumentIds + ?Sized>(
        &self,
        step: usize,
        queries: Block<'_>,
        plain: &Plain<'_, I>,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let Some(&kernel) = self.kernels.get(step) else {
            return self.plain(queries, plain, floors);
        };
        let other = if step == 0 { None } else { AnyScreen::new(kernel, queries) };
        let Plain { documents, depth, first, ids, .. } = *plain;
        let rescoring = Rescoring { queries, documents, depth, first, ids };
        let share = if step + 1 < self.kernels.len() { SHARE } else { SHARE_OF_LAST };
        let screen = if step == 0 { self.first.as_ref() } else { other.as_ref() };
        let Some(found) = screen.and_then(|screen| screen.best(&rescoring, floors, share)) else {
            return self.plain(queries, plain, floors);
        };
        self.count(step, found.len());
        let open: Vec<usize> = (0..found.len()).filter(|&query| found[query].is_none()).collect();
        if step == 0 {
            self.note(open.len() * GIVEN_UP > found.len());
        }
        let rows: Vec<f32> = open.iter().flat_map(|&query| queries.row(query)).copied().collect();
        let floors: Vec<f32> = open.iter().map(|&query| floors[query]).collect();
        let next = if open.len() < FEWEST_QUERIES { self.kernels.len() } else { step + 1 };
        let rest = Block { rows: &rows, norms: &[], dimension: queries.dimension };
        let mut rest = self.best_from(next, rest, plain, &floors)?.into_iter();
        Ok(found.into_iter().map(|found| found.or_else(|| rest.next()).unwrap_or_default()).collect())
    }

    /// Whether the first screening is to be tried with this chunk.
    fn is_over(&self) -> bool {
        self.pause.lock().is_ok_and(|mut pause| {
            let is_over = pause.left == 0;
            pause.left = pause.left.saturating_sub(1);
            is_over
        })
    }

    /// Takes note of a trial: after every failure the pause is twice as long.
    fn note(&self, is_failed: bool) {
        if let Ok(mut pause) = self.pause.lock() {
            pause.length = if is_failed { (2 * pause.length).max(1) } else { 0 };
            pause.left = pause.length;
        }
    }
}

impl AnyScreen {
    fn new(kernel: Kernel, queries: Block<'_>) -> Option<Self> {
        Some(match kernel {
            Kernel::Tiles(kernel) => Self::Tiles(Screen::new(kernel, queries)?),
            Kernel::Integers(kernel) => Self::Integers(Screen::new(kernel, queries)?),
        })
    }

    fn best<I: DocumentIds + ?Sized>(
        &self,
        rescoring: &Rescoring<'_, I>,
        floors: &[f32],
        share: usize,
    ) -> Option<Vec<Screened>> {
        match self {
            Self::Tiles(screen) => screen.best(rescoring, floors, share),
            Self::Integers(screen) => screen.best(rescoring, floors, share),
        }
    }
}
