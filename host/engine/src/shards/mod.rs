//! Runs that several machines share: plans them, checks on each machine that it has what was planned for, and brings results together.

mod bundles;
mod found_units;
mod joined;
mod make;
mod merge;
mod merged_file;
mod pins;
mod units;

pub use bundles::{UnitEstimate, ranges_of_corpus, ranges_of_pairs};
pub use make::{Planner, Target};
pub use merge::{Merge, Merged, MissingUnit};
pub use pins::{check_pins, pinned_model, plugins_of};
pub use units::{part_of, tasks_in_order};
