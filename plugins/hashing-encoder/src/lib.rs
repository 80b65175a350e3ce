//! A deterministic, stateless lexical baseline: hashed words and character n-grams, no download, no training.

mod encoder;
mod features;
mod stop_words;

pub use encoder::{DIMENSION, HashingEncoder};

use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "hashing-encoder".to_owned(),
        version: env!("MTEB_PLUGIN_VERSION").to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: vec!["hashing".to_owned(), "mteb-host/hashing".to_owned()],
        tasks: Vec::new(),
    },
    new: |_| Ok(Box::new(HashingEncoder)),
}
