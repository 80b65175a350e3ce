//! Outcomes: tables of what single items of a unit came to, as Parquet files that say what they were made from.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod checksum;
mod error;
mod items;
mod keys;
mod place;
mod read;
mod write;

pub use error::OutcomesError;
pub use items::{ItemColumn, Items};
pub use place::{find_outcomes, is_outcomes_of, outcomes_file};
pub use read::{Outcomes, read_facts, read_parquet};
pub use write::write_parquet;
