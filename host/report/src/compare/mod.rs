//! Two models beside each other: what the difference is worth, where it comes from, and what differs beside the models.

mod differences;
mod items;
mod text;

pub use differences::{Comparison, Tally, TaskDifference, UnitDifference, compare};
pub use items::{
    Found, ItemDifference, ItemSource, NoItems, PairedItem, PairedUnit, Ranked, Statistic, Texts, Unlike,
    Whole,
};
pub use text::{comparison_json, comparison_markdown};
