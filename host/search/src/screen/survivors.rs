//! The documents that may still be among the best of a query, by scores that are known up to an
//! error; the survivors of a screening are scored in f32, and the best stay.

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use super::exact::{ROWS, scores_of_sixteen};
use crate::best::{Best, Scored, pack, unpack};
use crate::product::Block;

/// Fewest survivors that are worth a selection.
const FEW: usize = 64;

/// Survivors of one query among the documents that went by; see [the module above](super) for why they suffice.
#[derive(Clone, Debug)]
pub(crate) struct Survivors {
    /// [`pack`]ed documents with the least score that each can have.
    documents: Vec<u64>,
    /// A score that `depth` documents reach, or that the caller asks for.
    floor: f32,
    /// The largest error of any survivor.
    error: f32,
    /// Survivors at which the next selection pays.
    next: usize,
    given_up: bool,
}

impl Survivors {
    /// None yet; scores below `floor` are not wanted.
    pub(crate) fn new(floor: f32, depth: usize) -> Self {
        Self { documents: Vec::new(), floor, error: 0.0, next: (2 * depth).max(FEW), given_up: false }
    }

    /// The screened score that a document must reach whose score has the given error.
    pub(crate) fn threshold(&self, error: f32) -> f32 {
        if self.given_up { f32::INFINITY } else { self.floor - error }
    }

    /// Adds a document whose screened score reaches [`Self::threshold`].
    pub(crate) fn add(&mut self, document: u32, score: f32, error: f32) {
        self.error = self.error.max(error);
        self.documents.push(pack(document, score - error));
    }

    /// Raises the floor and drops whom that excludes, if that pays by now. With more than `limit` survivors left,
    /// gives up.
    pub(crate) fn select(&mut self, depth: usize, limit: usize) {
        if self.documents.len() < self.next {
            return;
        }
        self.raise(depth);
        if self.documents.len() > limit {
            self.documents = Vec::new();
            self.given_up = true;
        }
        self.next = 2 * self.documents.len().max(depth).max(FEW / 2);
    }

    /// Drops whom the floor excludes, and memory that is not needed.
    pub(crate) fn compact(mut self, depth: usize) -> Self {
        self.raise(depth);
        self.documents.shrink_to_fit();
        self
    }

    /// Adds the survivors of another part of the corpus.
    pub(crate) fn join(&mut self, other: Self) {
        self.documents.extend(other.documents);
        self.floor = self.floor.max(other.floor);
        self.error = self.error.max(other.error);
        self.given_up |= other.given_up;
    }

    /// What is left; `None` if screening was given up.
    pub(crate) fn finish(mut self, depth: usize) -> Option<Found> {
        self.raise(depth);
        let others = self.documents.split_off(depth.min(self.documents.len()));
        let likely = in_order(self.documents.into_iter());
        (!self.given_up).then_some(Found { likely, others, error: self.error })
    }

    /// The `depth`-th largest least score is a score that `depth` documents reach.
    fn raise(&mut self, depth: usize) {
        if let Some(last) = depth.checked_sub(1)
            && last < self.documents.len()
        {
            let (_, &mut reached, _) = self.documents.select_nth_unstable_by(last, |a, b| b.cmp(a));
            self.floor = self.floor.max(unpack(reached).1);
        }
        // In order, so that the largest stay in front.
        let least = self.floor - 2.0 * self.error;
        self.documents.retain(|&packed| unpack(packed).1 >= least);
    }
}

/// The survivors of one query among all documents.
pub(crate) struct Found {
    /// Those with the largest least scores, as many as are wanted, in the order of the corpus.
    pub likely: Vec<u32>,
    /// The others, packed.
    others: Vec<u64>,
    error: f32,
}

impl Found {
    /// Those of the others that may have a score of `floor` or more, in the order of the corpus.
    pub(crate) fn others(&self, floor: f32) -> Vec<u32> {
        let least = floor - 2.0 * self.error;
        in_order(self.others.iter().copied().filter(|&packed| unpack(packed).1 >= least))
    }
}

fn in_order(packed: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut documents: Vec<u32> = packed.map(|packed| unpack(packed).0).collect();
    documents.sort_unstable();
    documents
}

/// What screening found for a query: its best documents, or `None` if it was given up.
pub(crate) type Screened = Option<Vec<Scored>>;

/// Bytes of documents that are worked on together. Fewer would lie nearer to the core, but a query then has too few among
/// them to fill a group.
const NEAR: usize = 2 << 20;

/// Tasks a thread, so that none waits long for the last one.
const TASKS: usize = 8;

/// What is rescored.
pub(super) struct Rescoring<'a, I: ?Sized> {
    pub queries: Block<'a>,
    pub documents: Block<'a>,
    pub depth: usize,
    /// The first document's number in `ids`.
    pub first: u32,
    pub ids: &'a I,
}

impl<I: DocumentIds + ?Sized> Rescoring<'_, I> {
    /// The best of each query's survivors; `None` where it was given up.
    pub(super) fn best(&self, survivors: Vec<Survivors>, floors: &[f32]) -> Vec<Screened> {
        let survivors: Vec<Option<Found>> =
            survivors.into_par_iter().map(|found| found.finish(self.depth)).collect();
        let fair = survivors.len().div_ceil(TASKS * rayon::current_num_threads());
        let length = self.rows_near().min(fair).max(1);
        let blocks = survivors.par_chunks(length).zip(floors.par_chunks(length)).enumerate();
        blocks
            .flat_map_iter(|(block, (survivors, floors))| {
                self.best_of_block(block * length, survivors, floors)
            })
            .collect()
    }

    /// First as many documents as are wanted, those that are likely the best, and then those that may be better by the
    /// exact scores of the first.
    fn best_of_block(&self, start: usize, survivors: &[Option<Found>], floors: &[f32]) -> Vec<Screened> {
        let mut best: Vec<Best> = floors.iter().map(|&floor| Best::new(self.depth, floor)).collect();
        let likely: Vec<&[u32]> =
            survivors.iter().map(|found| found.as_ref().map_or(&[][..], |found| &found.likely)).collect();
        self.score_all(start, likely, &mut best);
        let others = |(best, found): (&mut Best, &Option<Found>)| {
            let found = found.as_ref()?;
            Some(found.others(best.reached(self.ids)))
        };
        let others: Vec<_> =
            best.iter_mut().zip(survivors).map(|pair| others(pair).unwrap_or_default()).collect();
        self.score_all(start, others.iter().map(Vec::as_slice).collect(), &mut best);
        let finish = |(best, found): (Best, &Option<Found>)| {
            found.as_ref()?;
            best.finish(self.ids)
        };
        best.into_iter().zip(survivors).map(finish).collect()
    }

    /// Scores the documents `rest` of each query, which rise.
    ///
    /// The queries go through the documents side by side, so that most documents are in the cache when a query gets to
    /// them.
    fn score_all(&self, start: usize, mut rest: Vec<&[u32]>, best: &mut [Best]) {
        for near in (0..self.documents.len()).step_by(self.rows_near()) {
            let end = (near + self.rows_near()) as u32;
            for (query, (best, rest)) in best.iter_mut().zip(&mut rest).enumerate() {
                // The last group may reach beyond the end, so that only a query's very last one is not full.
                while rest.first().is_some_and(|&document| document < end) {
                    let (group, later) = rest.split_at(rest.len().min(ROWS));
                    self.score(self.queries.row(start + query), group, best);
                    *rest = later;
                }
            }
        }
    }

    fn score(&self, query: &[f32], group: &[u32], best: &mut Best) {
        // A group that is not full repeats its first document.
        let row = |place| self.documents.row(*group.get(place).unwrap_or(&group[0]) as usize);
        let scores = scores_of_sixteen(query, &std::array::from_fn(row));
        for (&document, score) in group.iter().zip(scores) {
            best.offer(self.ids, self.first + document, &[score]);
        }
    }

    fn rows_near(&self) -> usize {
        (NEAR / (size_of::<f32>() * self.documents.dimension)).max(ROWS)
    }
}
