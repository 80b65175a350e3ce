//! The model of a run: chosen by the user, completed by its card, started in a worker.

mod choice;
mod dtype;
mod error;
mod facts;
mod near;

pub use choice::ModelChoice;
pub use dtype::Dtype;
pub use error::ModelError;
pub use near::near_models;
