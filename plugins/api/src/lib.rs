//! Models behind HTTP endpoints: encoders and rerankers in the API formats of eight providers.

mod encode;
mod model;
mod request;
mod rerank;
mod setup;
mod styles;

pub use model::ApiModel;
pub use setup::Setup;
pub use styles::{Style, read_rows, read_scores, style};

use mteb_card::ApiStyle;
use mteb_plugin_api::{Manifest, PluginKind, export_model};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "api".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: vec!["notes".to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: ApiStyle::ALL.iter().map(|style| format!("{}:*", style.name())).collect(),
        tasks: Vec::new(),
    },
    new: |config| Ok(Box::new(ApiModel::new(&config)?)),
}
