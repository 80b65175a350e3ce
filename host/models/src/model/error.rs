//! Why a model cannot be started.

use mteb_registry::Fault;
use mteb_source::SourceError;
use mteb_workers::plugins::WorkerError;

use super::python_error::PythonError;
use crate::encode::PromptFileError;

/// A model that did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The card of the model is at fault.
    #[error("{0}")]
    Card(Fault),
    /// It cannot be called so.
    #[error("{0}")]
    Name(String),
    /// The file of prompts is at fault.
    #[error(transparent)]
    Prompts(#[from] PromptFileError),
    /// It is not clear how to ask an endpoint.
    #[error("{0}")]
    Remote(String),
    /// There is no Python interpreter for it.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// No plugin that may be loaded brings the model.
    #[error("{message}")]
    Unknown {
        /// One line: what was expected, what was found, what to do.
        message: String,
        /// True if plugins were refused, which may bring it.
        is_refused: bool,
        /// True if there was no room for plugins, which may bring it.
        is_shortage: bool,
    },
    /// The model's files cannot be had.
    #[error("model {model}: {source}{hint}")]
    Files {
        /// Name of the model.
        model: String,
        /// What is wrong.
        source: Box<SourceError>,
        /// What else may help.
        hint: String,
    },
    /// The folder that stands for the hub does not have the model.
    #[error(
        "model {model}: expected its files in {folder}/REVISION, because `--hub-dir` turns downloads off, found none; leave `--hub-dir` out \
         to download them"
    )]
    NotMirrored {
        /// Name of the model.
        model: String,
        /// Where its files would be.
        folder: String,
    },
    /// The files are there at another revision alone.
    #[error("model {model}: expected revision {asked}, found only {found}")]
    Revision {
        /// Name of the model.
        model: String,
        /// What was asked for.
        asked: String,
        /// What is there.
        found: String,
    },
    /// What the reference's loader does cannot be done otherwise.
    #[error("{0}")]
    Loading(String),
    /// An option of the model is not what its plugin declares.
    #[error("{0}")]
    Option(String),
    /// The model has nothing to choose there.
    #[error("model {model} ranks documents by their words and does not support `{option}`; leave it out")]
    NoOption {
        /// Name of the model.
        model: String,
        /// The option.
        option: &'static str,
    },
    /// The plugin does not start, or does not do what was asked for.
    #[error("model {model}: {source}{hint}")]
    Worker {
        /// Name of the model.
        model: String,
        /// What is wrong.
        source: Box<WorkerError>,
        /// What else may help.
        hint: String,
    },
}
