//! Two models beside each other: what the difference is worth, where it comes from, and what differs beside the models.

mod differences;
mod items;
mod ranked;
mod text;

pub use differences::{Comparison, Tally, TaskDifference, UnitDifference, compare};
pub use items::{Found, ItemDifference, ItemSource, NoItems, PairedItem, PairedUnit, Texts, Unlike, Whole};
pub use ranked::{Ranked, Statistic};
pub use text::{comparison_json, comparison_markdown};
