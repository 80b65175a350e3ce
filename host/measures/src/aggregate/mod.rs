//! Means and ranks over many tasks: mean, mean by task type, Borda count.

mod borda;
mod means;
mod task_types;

pub use borda::borda_ranks;
pub use means::{mean_of_group, mean_of_tasks, mean_of_units, task_score};
pub use task_types::{TaskTypeMeans, task_type_means};

#[cfg(test)]
mod tests;
