//! Judgements that are kept: one file per judge, JSON lines, to which lines are only added, except by a merge of several.
//!
//! The first line says whose judgements these are. A line that was torn, damaged, or is of something else is named, and the rest
//! is kept: what was paid for is not lost to a fault of one line.

mod append;
mod judgement;
mod merge;
mod read;

pub use append::StoreWriter;
pub use judgement::{Judgement, StoreHead, Tokens, Verdict};
pub use merge::MergedStore;
pub use read::{Contents, LineFault, read_judgements, read_store, read_store_of};
