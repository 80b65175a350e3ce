//! Selects tasks, as command lines and benchmarks name them.

pub mod benchmark;
pub mod benchmark_view;
pub mod narrowing;
pub mod pattern;
pub mod selected;
pub mod selection;
pub mod selection_error;
