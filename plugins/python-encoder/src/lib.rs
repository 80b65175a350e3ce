//! Models that exist as Python code: sentence-transformers, the reference's loaders, and functions of your own.

mod frame;
mod interpreter;
mod model;
mod process;

pub use model::PythonModel;

use mteb_plugin_api::v1::{ENCODE_ROWS, LOADING};
use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "python".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: [ENCODE_ROWS, LOADING, model::NOTES, model::EVALUATOR].map(str::to_owned).to_vec(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: ["st:*", "mteb:*", "python:*", "live:*"].map(str::to_owned).to_vec(),
        tasks: Vec::new(),
    },
    new: |config| Ok(Box::new(PythonModel::new(&config)?)),
}
