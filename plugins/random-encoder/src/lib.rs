//! `mteb/baseline-random-encoder`: a pure function of the text, so that whole result files can be compared with the
//! reference's without a neural model (protocol 16).

mod encoder;

pub use encoder::{DIMENSION, RandomEncoder};

use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "random-encoder".to_owned(),
        version: env!("MTEB_PLUGIN_VERSION").to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: vec!["random".to_owned(), "mteb/baseline-random-encoder".to_owned()],
        tasks: Vec::new(),
    },
    new: |_| Ok(Box::new(RandomEncoder)),
}
