//! What a score was made from, and what of it has changed since: data, options, prompts, model.

mod between;
mod data;
mod model;
pub mod model_content;
mod unit;

pub use between::{OTHER_EARLIER, change_between, change_of_mean, change_of_mean_made_from, earlier_of};
pub use data::{Chain, DataFacts};
pub use model::{SOURCES, model_changes, model_differences, model_facts, name_that_tells};
pub(crate) use unit::hash_of_units;
pub use unit::{Measures, UnitFacts};
