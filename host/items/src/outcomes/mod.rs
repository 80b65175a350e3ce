//! Outcomes: tables of per-item results of a unit, as Parquet files that say what they were made
//! from.

mod items;
mod read;
mod write;

pub use items::{ItemColumn, Items, OutcomesError};
pub use read::{OUTCOMES, Outcomes, find_outcomes, is_outcomes_of, outcomes_file, read_facts, read_parquet};
pub use write::write_parquet;
