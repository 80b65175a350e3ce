//! What a difference is worth: intervals, tests, groups of models that nothing separates.
//!
//! Every function takes scores of the same units in the same order: tasks where there are only scores, queries, pairs or texts where
//! a run kept outcomes. An interval covers the variance between these units and no other: not of the model's training, not
//! of the sampling of texts within a task.

mod interval;
mod over_parts;
mod paired;
mod ranks;

pub use interval::{
    ALPHA, Bootstrap, Interval, bootstrap_mean, bootstrap_statistic, mean_interval, on_drawn_items,
};
pub(crate) use over_parts::Varying;
pub use over_parts::{ItemErrors, OverParts, interval_of_types};
pub use paired::{PairedTest, Test, exact_test, holm, paired_test, permutation_test, swap_test, t_test};
pub use ranks::{TieGroups, rank_intervals, rank_intervals_by, tie_groups, tie_groups_by};
