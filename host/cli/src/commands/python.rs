//! The arguments about a model that a Python interpreter computes.

use std::path::PathBuf;

use clap::Args;
use mteb_models::model::PythonChoice;

/// How a model in Python is run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Models in Python (`--model st:NAME`, `mteb:NAME` or `python:FILE.py:NAME`)")]
pub struct PythonArgs {
    /// Python interpreter, or a virtual environment [default: the active environment, else `.venv` in this folder or one above
    /// it that `--trust-python` let run, else `python3`].
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Let code that comes with the model run.
    #[arg(long)]
    trust_remote_code: bool,
}

impl PythonArgs {
    /// The same for the engine.
    pub fn choice(&self) -> PythonChoice {
        PythonChoice { python: self.python.clone(), trust_remote_code: self.trust_remote_code }
    }
}
