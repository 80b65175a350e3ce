//! Two models beside each other: what the difference is worth, where it comes from, and what differs beside the models.

mod differences;
mod items;
mod text;

pub use differences::{Comparison, Tally, TaskDifference, compare};
pub use items::{ItemDifference, ItemSource, NoItems, PairedItem};
pub use text::{comparison_json, comparison_markdown};
