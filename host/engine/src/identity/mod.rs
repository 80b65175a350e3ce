//! What a score was made from, and what of it has changed since: data, options, prompts, model.

mod chain;
mod data;
mod measures;
mod model;
mod options;
mod unit;

pub use chain::Chain;
pub use data::DataFacts;
pub use measures::Measures;
pub use model::{model_changes, model_facts};
pub use options::{option_changes, options_of_unit};
pub use unit::UnitFacts;

/// Names in a message: all of a few, else the first ones and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 3;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
