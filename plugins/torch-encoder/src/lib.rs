//! Sentence-transformers models on libtorch: the same vectors as sentence-transformers gives.
//!
//! `folder` reads a model folder, `tokenizer` makes token ids, `weights` hold the tensors, `packed` lays texts end to
//! end without padding, `architectures` are the networks, built of `layers`; `steps` make one row a text; a `replica`
//! is a network with its steps, the `engine` runs replicas on all threads, and `encoder` ties them together.

mod architectures;
mod batches;
mod brackets;
mod device;
mod encoder;
mod engine;
mod error;
mod folder;
mod layers;
mod packed;
mod prompts;
mod replica;
mod reranker;
mod steps;
mod tokenizer;
mod weights;

pub use architectures::known as known_architectures;
pub use encoder::TorchEncoder;
pub use error::TorchError;

use mteb_plugin_api::v1::{Model, ModelConfig, PluginError};
use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "torch-encoder".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: vec!["*".to_owned()],
        tasks: Vec::new(),
    },
    new: open,
}

fn open(config: ModelConfig) -> Result<Box<dyn Model>, PluginError> {
    Ok(Box::new(TorchEncoder::open(&config)?))
}
