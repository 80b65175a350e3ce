//! The files of a model folder: JSON, and those that hold the weights.

mod hash;
mod json;
mod weight_files;

pub use hash::weights_hash;
pub use json::{optional, required};
pub use weight_files::{lone_file, weight_files};
