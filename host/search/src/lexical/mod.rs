//! Lexical ranking of documents: BM25 over stemmed words, score for score as the Python package `bm25s` (protocol 7.7).
//!
//! [`Bm25Builder`] takes documents one by one; [`Bm25`] scores queries against all of them. What counts as a word, which
//! words are skipped and how they are stemmed depends on the [`Language`] alone.

mod index;
mod language;
mod occurrences;
mod terms;

pub use index::{Bm25, Bm25Builder};
pub use language::Language;
