//! Embeddings without a fixed width that a run keeps in memory: a text is encoded once for all units.

use std::collections::HashMap;

use mteb_base::byte_size::ByteSize;
use mteb_cache::Key;
use mteb_tasks::Embeddings;

/// The embeddings so far; once they take as much memory as they may, no more are kept.
#[derive(Debug)]
pub struct MemoizedEmbeddings {
    rows: Option<Embeddings>,
    places: HashMap<Key, u32>,
    limit: u64,
}

impl MemoizedEmbeddings {
    /// Nothing yet, and at most `limit` bytes.
    pub fn new(limit: ByteSize) -> Self {
        Self { rows: None, places: HashMap::new(), limit: limit.0 }
    }

    /// The place of a text among [`Self::select`]'s.
    pub fn place(&self, key: &Key) -> Option<usize> {
        self.places.get(key).map(|&place| place as usize)
    }

    /// The embeddings at `places`; `None` if there are none at all.
    pub fn select(&self, places: &[usize]) -> Option<Embeddings> {
        self.rows.as_ref().map(|rows| rows.select(places))
    }

    /// Keeps the embeddings of the texts with these keys.
    pub fn keep(&mut self, keys: impl Iterator<Item = Key>, found: &Embeddings) {
        let bytes = self.rows.as_ref().map_or(0, Embeddings::bytes) + found.bytes();
        if bytes as u64 > self.limit {
            return;
        }
        let rows = self.rows.get_or_insert_with(|| found.none());
        let begin = rows.len();
        rows.append(found);
        self.places.extend(keys.enumerate().map(|(row, key)| (key, (begin + row) as u32)));
    }
}
