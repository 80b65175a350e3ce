//! What a run keeps of single items beside the scores: per-item results as tables, and rankings of documents.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod outcomes;
pub mod rankings;
