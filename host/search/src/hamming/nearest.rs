//! The nearest documents of one query while they go by.

use std::cmp::Ordering;

use mteb_measures::ranking::DocumentIds;

use crate::Scored;

/// Keeps the `depth` documents of the smallest distance, of equal ones those with the larger id.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
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
