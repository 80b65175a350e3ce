//! Why the code of a task type or a measure cannot be run.

use std::path::PathBuf;

/// No plugin runs the code.
#[derive(Debug, thiserror::Error)]
pub enum NoRunner {
    /// The pack with the code is not there.
    #[error(
        "expected the plugin `{plugin}`, which has the code of {code}, found none; `mteb-host doctor` lists the folders that \
         were searched"
    )]
    NoPack {
        /// Name of the plugin.
        plugin: String,
        /// What its code is of.
        code: String,
    },
    /// The plugin that runs Python is not there, or knows no evaluators.
    #[error(
        "{}: expected the plugin `python` of this version, which runs evaluators in Python, found none; `mteb-host doctor` \
         lists the folders that were searched", .0.display()
    )]
    NoPython(PathBuf),
    /// The code is a plugin's.
    #[error("expected an evaluator in Python for {0}, found a plugin")]
    NotPython(String),
}
