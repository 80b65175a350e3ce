//! Lexical ranking of documents: BM25 over stemmed words, score for score as the Python package `bm25s` (protocol 7.7).
//!
//! [`Bm25Builder`] takes documents one by one; [`Bm25`] scores queries against all of them. What counts as a word, which
//! words are left out and how they are stemmed depends on the [`Language`] alone.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod builder;
mod index;
mod language;
mod stemmer;
mod stop_words;
mod terms;
mod words;

pub use builder::Bm25Builder;
pub use index::Bm25;
pub use language::Language;
