//! Sentence-transformers models on libtorch: the same vectors as sentence-transformers gives.
//!
//! A chain of modules, each knowing only those before it: `files` finds and reads the files of a model, `folder` says what they
//! mean, `weights` hold the tensors, `tokenizer` makes token ids, `packed` lays texts end to end without padding, `layers` are
//! what networks are built of, `architectures` the networks, one file each with the checkpoints that it computes; `steps` make one
//! row a text; a `replica` is a network with its steps, the `engine` runs replicas on all threads, and `encoder` ties them
//! together.

mod architectures;
mod cuda_library;
mod device;
mod encoder;
mod engine;
mod error;
mod files;
mod folder;
mod layers;
mod packed;
mod replica;
mod steps;
mod tokenizer;
mod weights;
mod wrapping;

pub use architectures::list_known as known_architectures;
pub use encoder::TorchEncoder;
pub use error::TorchError;

use mteb_plugin_api::v1::{LOADING, Model, ModelConfig, PluginError};
use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "torch-encoder".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: vec![LOADING.to_owned()],
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
