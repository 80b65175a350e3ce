//! Tables of many units: first the mean over datasets for each judge, then the mean over judges, which is called "Average".

mod groups;
mod shift;
mod standings;

pub use groups::{GROUPS, group_of};
pub use shift::{Gap, Shift, gap, shifts};
pub use standings::{AVERAGE, AggregateError, Measure, Pools, Standing, Standings, standings};
