//! The JSON Schemas of cards, registries, manifests, made from the Rust types.

use mteb_card::{ModelCard, Registry, TaskCard};
use serde_json::Value;

use crate::{Manifest, ModelInfo};

/// JSON Schema of a task card.
pub fn task_card() -> Value {
    schemars::schema_for!(TaskCard).to_value()
}

/// JSON Schema of a registry.
pub fn registry() -> Value {
    schemars::schema_for!(Registry).to_value()
}

/// JSON Schema of a plugin's manifest.
pub fn plugin_manifest() -> Value {
    schemars::schema_for!(Manifest).to_value()
}

/// JSON Schema of what a model says of itself.
pub fn model_info() -> Value {
    schemars::schema_for!(ModelInfo).to_value()
}

/// JSON Schema of a model card.
pub fn model_card() -> Value {
    schemars::schema_for!(ModelCard).to_value()
}
