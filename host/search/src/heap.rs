//! The best documents of one query over many chunks, in the memory order of Python's `heapq`.

use std::cmp::Ordering;

use mteb_measures::ranking::DocumentIds;

use crate::Scored;
use crate::best::compare;

/// A min-heap of at most `capacity` documents by (score, id), moved exactly as CPython's `heapq` moves them.
///
/// The reference hands its results on in the order of the heap's array, and the standard deviation behind nAUC is
/// summed in that order (protocol 7.1), so the order is part of the result.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    items: Vec<Scored>,
    capacity: usize,
}

impl Heap {
    /// An empty heap of at most `capacity` documents.
    pub fn new(capacity: usize) -> Self {
        Self { items: Vec::new(), capacity }
    }

    /// Adds `item`; from a full heap the smallest item, which may be this one, is dropped.
    pub fn push<I: DocumentIds + ?Sized>(&mut self, ids: &I, item: Scored) {
        self.try_push(ids, item);
    }

    /// As [`Self::push`]; false if this item was dropped.
    pub fn try_push<I: DocumentIds + ?Sized>(&mut self, ids: &I, item: Scored) -> bool {
        if self.items.len() < self.capacity {
            self.items.push(item);
            self.move_towards_root(ids, 0, self.items.len() - 1);
            return true;
        }
        if let Some(&smallest) = self.items.first()
            && compare(ids, smallest, item) == Ordering::Less
        {
            self.items[0] = item;
            self.move_towards_leaves(ids, 0);
            return true;
        }
        false
    }

    /// The lowest score that can still enter: minus infinity unless the heap is full.
    pub fn floor(&self) -> f32 {
        match self.items.first() {
            Some(&(_, score)) if self.items.len() == self.capacity => score,
            _ => f32::NEG_INFINITY,
        }
    }

    /// The documents so far.
    pub fn items(&self) -> &[Scored] {
        &self.items
    }

    /// The documents in the order of the heap's array.
    pub fn into_items(self) -> Vec<Scored> {
        self.items
    }

    /// `heapq._siftdown`.
    fn move_towards_root<I: DocumentIds + ?Sized>(&mut self, ids: &I, start: usize, mut place: usize) {
        let item = self.items[place];
        while place > start {
            let parent = (place - 1) / 2;
            if compare(ids, item, self.items[parent]) != Ordering::Less {
                break;
            }
            self.items[place] = self.items[parent];
            place = parent;
        }
        self.items[place] = item;
    }

    /// `heapq._siftup`: the smaller child moves up until a leaf is reached, then the item moves back.
    fn move_towards_leaves<I: DocumentIds + ?Sized>(&mut self, ids: &I, start: usize) {
        let item = self.items[start];
        let mut place = start;
        let mut child = 2 * place + 1;
        while child < self.items.len() {
            let right = child + 1;
            if right < self.items.len()
                && compare(ids, self.items[child], self.items[right]) != Ordering::Less
            {
                child = right;
            }
            self.items[place] = self.items[child];
            place = child;
            child = 2 * place + 1;
        }
        self.items[place] = item;
        self.move_towards_root(ids, start, place);
    }
}
