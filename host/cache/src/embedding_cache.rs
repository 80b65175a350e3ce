//! The rows of one model: found by key, read with their checksums, written in segments.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_base::byte_size::ByteSize;
use rayon::prelude::*;

use super::index::{Index, RowPlace};
use super::key::Key;
use super::pending::Pending;
use super::segment::{RequestedRow, Segment};
use super::segment_head::{SegmentError, SegmentHead};
use super::{ModelIdentity, folder};
use crate::files::StoredFile;
use crate::pending::MemoryRows;

/// Heads of segments that are read at once; their keys are in memory twice for the time being.
const HEADS_AT_ONCE: usize = 64;

/// Stands for the segment of rows that are not written yet.
const PENDING: u32 = u32::MAX;

/// Most bytes of rows that a run keeps in memory once its folder cannot be written.
const MEMORY: ByteSize = ByteSize(256 << 20);

/// The cached embeddings of one model identity. Whatever happens to its files, it gives a row as it was put in, or
/// none. An entry takes 28 to 57 bytes of memory.
#[derive(Debug)]
pub struct EmbeddingCache {
    /// `None` if rows are kept in memory alone.
    root: Option<PathBuf>,
    identity: ModelIdentity,
    limit: u64,
    segments: Vec<Stored>,
    index: Index,
    pending: Pending,
    warnings: Vec<String>,
}

/// Rows that no longer wait.
#[derive(Debug)]
enum Stored {
    File(Segment),
    Memory(MemoryRows),
    /// The file turned out to be gone or damaged, or there was no more room in memory.
    Gone,
}

impl EmbeddingCache {
    /// The rows of `identity` below `root`, which may be absent. All models together are kept below `limit` bytes.
    pub fn open(root: &Path, identity: ModelIdentity, limit: ByteSize) -> Self {
        let mut cache = Self::in_memory(identity, limit);
        cache.root = Some(root.to_owned());
        folder::model_folders(root).iter().for_each(|folder| folder::remove_leftovers(folder));
        folder::make_room(root, limit.0, 0);
        cache.load(root);
        cache
    }

    /// A cache that is empty at first, holds the newest rows in `limit` bytes, and ends with the run.
    pub fn in_memory(identity: ModelIdentity, limit: ByteSize) -> Self {
        Self {
            root: None,
            identity,
            limit: limit.0,
            segments: Vec::new(),
            index: Index::default(),
            pending: Pending::default(),
            warnings: Vec::new(),
        }
    }

    /// The hash of the model identity, which is part of every key.
    pub fn identity(&self) -> &[u8; 32] {
        &self.identity.hash
    }

    /// The keys of texts as they are sent to the model.
    pub fn keys(&self, role: u32, prompt: &str, texts: &[&str]) -> Vec<Key> {
        Key::of_texts(&self.identity.hash, role, prompt, texts)
    }

    /// Copies every known row to its place in `out` (one row a key); gives the numbers of the keys without one.
    pub fn read(&mut self, keys: &[Key], out: &mut [f32]) -> Vec<usize> {
        let dimension = self.identity.dimension;
        let mut missing = Vec::new();
        let mut stored: Vec<Vec<RequestedRow>> = self.segments.iter().map(|_| Vec::new()).collect();
        for (number, key) in keys.iter().enumerate() {
            match self.index.get(key) {
                Some(RowPlace { segment: PENDING, row }) => {
                    let row = self.pending.row(row as usize, dimension);
                    row.read_into(&mut out[number * dimension..(number + 1) * dimension]);
                }
                Some(RowPlace { segment, row }) => {
                    stored[segment as usize].push(RequestedRow { row: row as usize, number });
                }
                None => missing.push(number),
            }
        }
        for (segment, wanted) in stored.into_iter().enumerate().filter(|(_, wanted)| !wanted.is_empty()) {
            missing.extend(self.read_segment(segment, wanted, out));
        }
        missing.sort_unstable();
        missing
    }

    /// Keeps a row. It is written later, with others.
    pub fn insert(&mut self, key: Key, row: &[f32]) {
        if !self.index.is_full() && self.index.get(&key).is_none() {
            let row = self.pending.push(key, row) as u32;
            self.index.set(key, RowPlace { segment: PENDING, row });
        }
    }

    /// Writes the rows that wait, if they are many or have waited long.
    pub fn flush_if_due(&mut self) {
        if self.pending.is_due(self.limit) {
            self.flush();
        }
    }

    /// Writes the rows that wait. A cache that cannot be written costs time, never correctness.
    pub fn flush(&mut self) {
        let Pending { keys, bytes, .. } = std::mem::take(&mut self.pending);
        match self.root.clone() {
            _ if keys.is_empty() => {}
            Some(root) => self.write(&root, keys, bytes),
            None => self.remember(keys, bytes),
        }
    }

    /// What went wrong since the last call, one line each.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn write(&mut self, root: &Path, keys: Vec<Key>, bytes: Vec<u8>) {
        let mut head = SegmentHead::new(self.identity.hash, self.identity.dimension, keys, &bytes);
        let size = head.rows_offset() + bytes.len() as u64;
        if size > self.limit {
            // To write it would cost all other rows and still be too much.
            return self.index.forget(PENDING);
        }
        folder::make_room(root, self.limit, size);
        let folder = root.join(self.identity.folder_name());
        match folder::write(&folder, &self.identity, &head, &bytes) {
            Ok(path) => {
                let (segment, keys) = Segment::new(path, head);
                self.add(Stored::File(segment), keys);
            }
            Err(error) => {
                self.warnings.push(format!(
                    "{}: cannot write embeddings to the cache: {error}; the run continues without caching them",
                    folder.display()
                ));
                self.root = None;
                self.limit = MEMORY.0;
                self.remember(std::mem::take(&mut head.keys), bytes);
            }
        }
    }

    /// Keeps rows in memory; the oldest ones there go when they are too many.
    fn remember(&mut self, keys: Vec<Key>, bytes: Vec<u8>) {
        self.add(Stored::Memory(MemoryRows::new(bytes, self.identity.dimension)), keys);
        let in_memory = |stored: &Stored| if let Stored::Memory(rows) = stored { rows.bytes() } else { 0 };
        let mut total: u64 = self.segments.iter().map(in_memory).sum();
        for number in 0..self.segments.len() {
            let bytes = in_memory(&self.segments[number]);
            if total <= self.limit {
                return;
            }
            if bytes > 0 {
                total -= bytes;
                self.forget(number);
            }
        }
    }

    /// Reads the heads of the model's segments, those used last first, as far as the index has room.
    fn load(&mut self, root: &Path) {
        let folder = root.join(self.identity.folder_name());
        let mut stored = folder::stored_segments(&folder).unwrap_or_else(|error| {
            self.warnings.push(format!("{}: cannot read the cache: {error}", folder.display()));
            Vec::new()
        });
        stored.sort_by(|left, right| right.cmp(left));
        let (identity, dimension) = (self.identity.hash, self.identity.dimension);
        let bytes: u64 = stored.iter().map(|segment| segment.bytes).sum();
        self.index.expect(bytes as usize / (dimension * size_of::<f32>() + size_of::<Key>()));
        for stored in stored.chunks(HEADS_AT_ONCE) {
            let open = |StoredFile { path, .. }: &StoredFile| Segment::open(path, &identity, dimension);
            let opened: Vec<_> = stored.par_iter().map(open).collect();
            for (stored, opened) in stored.iter().zip(opened) {
                match opened {
                    Ok((segment, keys)) => self.add(Stored::File(segment), keys),
                    Err(error) => self.give_up(&stored.path, &error),
                }
            }
            if self.index.is_full() {
                return;
            }
        }
    }

    fn add(&mut self, stored: Stored, keys: Vec<Key>) {
        self.index.add(self.segments.len() as u32, keys);
        self.segments.push(stored);
    }

    fn forget(&mut self, number: usize) {
        self.segments[number] = Stored::Gone;
        self.index.forget(number as u32);
    }

    /// Copies rows of one segment; gives the numbers of those that could not be read.
    fn read_segment(&mut self, number: usize, mut wanted: Vec<RequestedRow>, out: &mut [f32]) -> Vec<usize> {
        wanted.sort_unstable_by_key(|wanted| wanted.row);
        let numbers = |wanted: &[RequestedRow]| wanted.iter().map(|wanted| wanted.number).collect();
        let segment = match &mut self.segments[number] {
            Stored::File(segment) => segment,
            Stored::Memory(rows) => {
                rows.read(&wanted, out);
                return Vec::new();
            }
            Stored::Gone => return numbers(&wanted),
        };
        let mut done = 0;
        let Err(error) = segment.read(&wanted, out, &mut done) else { return Vec::new() };
        let path = segment.path().to_owned();
        self.forget(number);
        self.give_up(&path, &error);
        numbers(&wanted[done..])
    }

    /// A segment that another process has evicted is gone; one that cannot be read is left where it is; a damaged
    /// one is removed, so that nobody meets it again.
    fn give_up(&mut self, path: &Path, error: &SegmentError) {
        match error {
            SegmentError::Io(error) if error.kind() == ErrorKind::NotFound => return,
            SegmentError::Io(error) if error.kind() != ErrorKind::UnexpectedEof => {}
            _ => drop(fs::remove_file(path)),
        }
        self.warnings.push(format!("{}: {error}; its texts are encoded again", path.display()));
    }
}

impl Drop for EmbeddingCache {
    fn drop(&mut self) {
        if self.root.is_some() {
            self.flush();
        }
    }
}
