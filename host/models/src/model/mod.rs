//! The model of a run: chosen by the user, completed by its card, started in a worker.

mod bm25;
mod card_check;
mod choice;
mod contradiction;
mod error;
mod listener;
mod loaded;
mod loading;
mod local;
mod model_settings;
mod naming;
mod near;
mod options;
mod python;
mod python_error;
mod remote;
mod shadow;
mod trusted_environment;
mod unknown;
mod virtual_environment;
mod workers;

pub use bm25::{Bm25Model, Bm25Ranker};
pub use card_check::check_with_models;
pub use choice::ModelChoice;
pub use error::ModelError;
pub use listener::{Listener, Silent};
pub use loaded::LoadedModel;
pub use model_settings::Dtype;
pub use near::near_models;
pub use python::{PythonChoice, interpreter};
pub use python_error::{EnvironmentError, PythonError};
pub use remote::RemoteChoice;
pub use trusted_environment::trust_environment;
pub use unknown::lack_of_torch;
pub use workers::{DeviceError, WorkerChoice};
