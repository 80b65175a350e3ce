//! What a caller hears of a model: lines that are worth printing while it is found and started, why
//! it cannot be started, and why no Python interpreter or virtual environment may run it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_hub::{NoReport, Report};
use mteb_registry::Fault;
use mteb_source::SourceError;
use mteb_workers::plugins::{OpenPlace, TrustError, WorkerError};

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

/// There is no interpreter, or one that nobody should run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PythonError {
    /// What was named is no interpreter and no environment.
    #[error("`--python`: expected an interpreter or a virtual environment, found none: {}", .0.display())]
    Named(PathBuf),
    /// The current folder cannot be told.
    #[error(transparent)]
    Folder(#[from] io::Error),
    /// Others can change the environment.
    #[error(
        "{}: expected a virtual environment that nobody else can change, found that {source}; name it with \
         `--python` if you trust it", .python.display()
    )]
    Open {
        /// Its interpreter.
        python: PathBuf,
        /// What can be changed.
        source: EnvironmentError,
    },
    /// The environment is not trusted, or cannot be looked at.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// None is on the path.
    #[error(
        "expected a Python interpreter, found no `python3` in the absolute folders of PATH; name one with `--python`"
    )]
    None,
    /// A card of others says whose code runs, and the user not at which revision.
    #[error(
        "{file}: expected `--revision` with `--trust-remote-code`, because this card does not come with \
         mteb-host and says whose code runs; if you trust it, add `--revision {revision}`"
    )]
    NoRevision {
        /// The card.
        file: String,
        /// The revision that it names.
        revision: String,
    },
}

/// A virtual environment that others can change, that is not trusted, or that cannot be looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// Others can change something on the way to it, or in it.
    #[error(transparent)]
    Open(#[from] OpenPlace),
    /// The permissions of a folder cannot be read.
    #[error("the permissions of {} cannot be read: {source}", .path.display())]
    Permissions {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Its configuration cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Configuration {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// Its folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is none.
    #[error("expected a virtual environment with `bin/python`, found none: {}", .0.display())]
    Absent(PathBuf),
    /// The user has not let its interpreter run.
    #[error(
        "{}: expected a Python interpreter that you trust, found {found}; if you trust it, add \
         `--trust-python {}` once, or name another with `--python`", .interpreter.display(), .folder.display()
    )]
    Untrusted {
        /// The interpreter.
        interpreter: PathBuf,
        /// What was found, in words.
        found: &'static str,
        /// The environment.
        folder: PathBuf,
    },
    /// That it is trusted cannot be recorded.
    #[error(transparent)]
    Record(#[from] TrustError),
}

/// Is told what is worth a line, from several threads at a time.
///
/// Every method does nothing unless it is implemented.
pub trait Listener: Sync {
    /// Something that is worth a line, and changes nothing.
    fn say(&self, message: &str) {
        let _ = message;
    }

    /// Something is odd, but no failure.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// Who is told of downloads.
    fn downloads(&self) -> Arc<dyn Report + Send + Sync> {
        Arc::new(NoReport)
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {}
