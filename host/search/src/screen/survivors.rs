//! The documents that may still be among the best of a query, by scores that are known up to an error.

use crate::best::{pack, unpack};

/// Fewest survivors that are worth a selection.
const FEW: usize = 64;

/// With fewer than one of so many wanted documents left beside those that are likely the best, all are rescored at once:
/// another walk through the corpus would cost more.
const FEW_OTHERS: usize = 8;

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
        let left = self.documents.len().max(depth);
        self.next = (left + left / 2).max(FEW);
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
        let is_one_step = self.documents.len() <= depth + depth / FEW_OTHERS;
        let likely = if is_one_step { self.documents.len() } else { depth };
        let others = self.documents.split_off(likely);
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
    /// Those with the largest least scores, as many as are wanted or a few more, in the order of the corpus.
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
