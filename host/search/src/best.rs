//! The best documents of one query while its scores stream by, and why a search has no answer.

use std::cmp::Ordering;

use mteb_measures::ranking::DocumentIds;

/// Scores that are looked at together: one comparison a score, one branch a group.
const GROUP: usize = 16;

/// Keeps the `depth` largest by (score, id) of all scores offered.
///
/// Candidates gather unsorted; when twice as many as needed are there, the better half stays and its lowest score
/// becomes the floor below which a score is not looked at again. The work for one document is constant on average.
pub(crate) struct Best {
    depth: usize,
    floor: f32,
    /// [`pack`]ed, so that candidates compare as whole numbers; ids are compared where scores tie.
    candidates: Vec<u64>,
    not_a_number: bool,
}

/// How `a` stands to `b` in (score, id); no score is NaN.
pub fn compare<I: DocumentIds + ?Sized>(ids: &I, a: Scored, b: Scored) -> Ordering {
    a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal).then_with(|| ids.id(a.0).cmp(ids.id(b.0)))
}

impl Best {
    /// Nothing yet; scores below `floor` are not wanted.
    pub(crate) fn new(depth: usize, floor: f32) -> Self {
        Self { depth, floor, candidates: Vec::new(), not_a_number: false }
    }

    /// Offers `scores` of the documents `first`, `first + 1`, …
    pub(crate) fn offer<I: DocumentIds + ?Sized>(&mut self, ids: &I, first: u32, scores: &[f32]) {
        let mut document = first;
        for group in scores.chunks(GROUP) {
            if group.iter().fold(false, |any, &score| any | (score >= self.floor) | score.is_nan()) {
                self.take(document, group);
            }
            document += group.len() as u32;
        }
        if self.candidates.len() >= 2 * self.depth {
            self.shrink(ids);
        }
    }

    /// A score that `depth` documents reach, or the one from which on they are wanted.
    pub(crate) fn reached<I: DocumentIds + ?Sized>(&mut self, ids: &I) -> f32 {
        self.shrink(ids);
        if self.candidates.len() == self.depth
            && let Some(&lowest) = self.candidates.iter().min()
        {
            self.floor = self.floor.max(unpack(lowest).1);
        }
        self.floor
    }

    /// The best, largest first; `None` if a score was not a number.
    pub(crate) fn finish<I: DocumentIds + ?Sized>(mut self, ids: &I) -> Option<Vec<Scored>> {
        self.shrink(ids);
        self.candidates.sort_unstable_by(|a, b| b.cmp(a));
        for tied in self.candidates.chunk_by_mut(|&a, &b| key(a) == key(b)).filter(|tied| tied.len() > 1) {
            sort_by_id(ids, tied);
        }
        (!self.not_a_number).then(|| self.candidates.into_iter().map(unpack).collect())
    }

    fn take(&mut self, first: u32, group: &[f32]) {
        for (document, &score) in (first..).zip(group) {
            if score >= self.floor {
                self.candidates.push(pack(document, score));
            } else if score.is_nan() {
                self.not_a_number = true;
            }
        }
    }

    fn shrink<I: DocumentIds + ?Sized>(&mut self, ids: &I) {
        if self.candidates.len() <= self.depth {
            return;
        }
        let Some(last) = self.depth.checked_sub(1) else {
            return self.candidates.clear();
        };
        let (_, &mut lowest, beyond) = self.candidates.select_nth_unstable_by(last, |a, b| b.cmp(a));
        if beyond.iter().any(|&other| key(other) == key(lowest)) {
            self.settle_tie(ids, key(lowest));
        }
        self.candidates.truncate(self.depth);
        self.floor = self.floor.max(unpack(lowest).1);
    }

    /// Puts the candidates above `cut` first, then those that tie at `cut`, largest id first.
    fn settle_tie<I: DocumentIds + ?Sized>(&mut self, ids: &I, cut: u32) {
        let mut tied: Vec<u64> = self.candidates.iter().copied().filter(|&other| key(other) == cut).collect();
        sort_by_id(ids, &mut tied);
        self.candidates.retain(|&other| key(other) > cut);
        self.candidates.extend(tied);
    }
}

fn sort_by_id<I: DocumentIds + ?Sized>(ids: &I, tied: &mut [u64]) {
    tied.sort_unstable_by(|&a, &b| ids.id(unpack(b).0).cmp(ids.id(unpack(a).0)));
}

/// The score in the upper half, in an encoding that orders as the numbers do, and the document in the lower half.
pub(crate) fn pack(document: u32, score: f32) -> u64 {
    // Adding zero turns −0 into 0, which it equals.
    let bits = (score + 0.0).to_bits();
    let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(ordered) << 32 | u64::from(document)
}

/// The reverse of [`pack`].
pub(crate) fn unpack(packed: u64) -> Scored {
    let ordered = key(packed);
    let bits = if ordered >> 31 == 1 { ordered & !(1 << 31) } else { !ordered };
    (packed as u32, f32::from_bits(bits))
}

fn key(packed: u64) -> u32 {
    (packed >> 32) as u32
}

/// A document and its score.
pub type Scored = (u32, f32);

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Embeddings of unequal length.
    #[error("expected document embeddings of {queries} numbers, as the queries have, found {documents}")]
    Dimension {
        /// Numbers in a query's embedding.
        queries: usize,
        /// Numbers in a document's embedding.
        documents: usize,
    },
    /// The rows do not fill a matrix.
    #[error("the embeddings do not form a matrix: {0}")]
    Shape(#[from] ndarray::ShapeError),
    /// A similarity overflowed.
    #[error(
        "the similarity of query {query} with a document is not a number: the embeddings are too large for f32"
    )]
    NotANumber {
        /// The query's row, starting at 0.
        query: usize,
    },
}
