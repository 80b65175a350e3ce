//! The model of a run: chosen by the user, completed by its card, started in a worker.

mod bm25;
mod checked;
mod choice;
mod contradiction;
mod dtype;
mod error;
mod ignored_prompts;
mod listener;
mod loaded;
mod loading;
mod local;
mod model_place;
mod model_settings;
mod naming;
mod near;
mod other_library;
mod python;
mod pyvenv;
mod remote;
mod shadow;
mod trusted_environment;
mod virtual_environment;
mod workers;

pub use bm25::{Bm25Model, Bm25Ranker};
pub use checked::check_with_models;
pub use choice::ModelChoice;
pub use dtype::Dtype;
pub use error::ModelError;
pub use listener::{Listener, Silent};
pub use loaded::LoadedModel;
pub use near::near_models;
pub use python::{PythonChoice, interpreter};
pub use remote::RemoteChoice;
pub use trusted_environment::trust_environment;
pub use workers::WorkerChoice;
