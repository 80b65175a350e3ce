//! Rankings of documents, written and read: TREC run files, and the prediction files of the Python package `mteb`.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod builder;
mod error;
mod escape;
mod form;
mod line_bounds;
mod predictions;
mod rankings;
mod trec;

pub use error::RankingsError;
pub use escape::unescape;
pub use form::{read_rankings, read_text};
pub use predictions::Predictions;
pub use rankings::{Ranked, Rankings};
pub use trec::{read_facts, write_trec};
