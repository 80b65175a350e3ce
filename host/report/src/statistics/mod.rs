//! What a difference is worth: intervals, tests, groups of models that nothing separates.
//!
//! Every function takes scores of the same units in the same order: tasks where there are only scores, queries, pairs or texts where
//! a run kept outcomes. An interval covers the variance between these units and no other: not of the model's training, not
//! of the sampling of texts within a task.

mod bootstrap;
mod interval;
mod item_errors;
mod over_parts;
mod paired;
mod rank_intervals;
mod tie_groups;

pub use bootstrap::{Bootstrap, bootstrap_mean, bootstrap_statistic, on_drawn_items};
pub use interval::{ALPHA, Interval, mean_interval};
pub use item_errors::ItemErrors;
pub(crate) use item_errors::Varying;
pub use over_parts::{OverParts, interval_of_types};
pub use paired::{PairedTest, Test, exact_test, holm, paired_test, permutation_test, swap_test, t_test};
pub use rank_intervals::{rank_intervals, rank_intervals_by};
pub use tie_groups::{TieGroups, tie_groups, tie_groups_by};
