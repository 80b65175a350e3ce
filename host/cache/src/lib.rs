//! Embeddings and parsed rows that are kept from run to run, by content.
//!
//! `<cache folder>/embeddings/v1/<model>/` holds the rows of one model identity in segments: files that are written
//! under a temporary name, flushed, renamed, and never changed after. A row is found by a key made of the identity,
//! the role, the prompt and the text. Whatever fails its checksum is as good as absent: its texts are encoded again.
//! [`tables`] keeps the rows of data files.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod embedding_cache;
mod file_hashes;
mod files;
mod folder;
mod identity;
mod index;
mod inventory;
mod key;
mod merge;
mod options;
mod pending;
mod segment;
mod segment_head;
mod tables;

#[cfg(test)]
mod tests;

pub use embedding_cache::EmbeddingCache;
pub use file_hashes::FileHashes;
pub use identity::{ModelIdentity, UNPINNED};
pub use index::{Index, RowPlace};
pub use inventory::{Cached, Verified, clear, info, verify};
pub use key::Key;
pub use merge::{CacheMerged, merge};
pub use options::CacheOptions;
pub use segment::{RequestedRow, Segment};
pub use segment_head::{Checksum, SegmentError, SegmentHead, checksum};
pub use tables::stamp::Stamp;
pub use tables::{TableCache, clear_tables, tables_info, verify_tables};
