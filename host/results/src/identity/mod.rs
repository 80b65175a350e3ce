//! What a score was made from, and what of it has changed since: data, options, prompts, model.

mod between;
mod chain;
mod data;
mod measures;
mod model;
pub mod model_content;
pub mod model_files;
mod unit;
mod units_hash;

pub use between::{OTHER_EARLIER, change_between, change_of_mean, change_of_mean_made_from, earlier_of};
pub use chain::Chain;
pub use data::DataFacts;
pub use measures::Measures;
pub use model::{SOURCES, model_changes, model_differences, model_facts, name_that_tells};
pub use unit::UnitFacts;
pub(crate) use units_hash::hash_of_units;
