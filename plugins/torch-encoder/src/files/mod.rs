//! The files of a model folder: JSON, and those that hold the weights.

mod foreign;
mod hash;
mod json;
mod weight_files;

pub use foreign::foreign_weights;
pub use hash::weights_hash;
pub use json::{optional, required};
pub use weight_files::{lone_file, weight_files};
