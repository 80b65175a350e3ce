//! Chooses and starts the model of a run, and brings texts to embeddings.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod encode;
pub mod model;
