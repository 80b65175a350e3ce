//! Rankings of documents, written and read: TREC run files, and the prediction files of the Python package `mteb`.

mod escape;
mod form;
mod predictions;
mod ranked;
mod trec;

pub use escape::unescape;
pub use form::{read_rankings, read_text};
pub use predictions::Predictions;
pub use ranked::{Ranked, Rankings, RankingsError};
pub use trec::{read_facts, write_trec};
