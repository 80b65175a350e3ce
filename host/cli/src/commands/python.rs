//! The arguments about a model that a Python interpreter computes.

use std::path::PathBuf;

use clap::Args;
use mteb_models::model::PythonChoice;

/// Above these options in the help.
const HEADING: &str = "Models in Python (`--model st:NAME`, `mteb:NAME` or `python:FILE.py:NAME`)";

/// How a model in Python is run.
#[derive(Args, Clone, Debug, Default)]
pub struct PythonArgs {
    /// Python interpreter or virtual environment [default: the active environment, else a `.venv`
    /// here or in a parent folder that `--trust-python` trusts, else `python3`].
    #[arg(help_heading = HEADING, long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Run code that comes with the model.
    #[arg(help_heading = HEADING, long)]
    trust_remote_code: bool,
}

impl PythonArgs {
    /// The same for the engine.
    pub fn choice(&self) -> PythonChoice {
        PythonChoice { python: self.python.clone(), trust_remote_code: self.trust_remote_code }
    }
}
