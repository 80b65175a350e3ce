//! The files of a model folder: JSON, and those that hold the weights.

mod json;
mod weight_files;

pub use json::{optional, required};
pub use weight_files::{foreign_weights, lone_file, refuse_file, weight_files, weights_hash};
