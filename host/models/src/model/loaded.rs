//! A model that is ready: a plugin's in a worker, or one of the host itself.

use mteb_json::Json;
use mteb_plugin_api::{ModelInfo, RowForm};
use mteb_results::identity::model_facts;
use mteb_workers::plugins::ModelClient;

use super::Bm25Model;

/// A model that is ready.
pub enum LoadedModel {
    /// A plugin's, in a process of its own.
    Worker(Box<ModelClient>),
    /// BM25, which ranks documents and encodes nothing.
    Bm25(Box<Bm25Model>),
}

impl LoadedModel {
    /// What the model says of itself.
    pub fn info(&self) -> &ModelInfo {
        match self {
            Self::Worker(client) => client.info(),
            Self::Bm25(bm25) => bm25.info(),
        }
    }

    /// The plugin's model, if it is one.
    pub fn worker(&self) -> Option<&ModelClient> {
        match self {
            Self::Worker(client) => Some(client),
            Self::Bm25(_) => None,
        }
    }

    /// True if it ranks documents and gives no embedding that other tasks could use.
    pub fn only_ranks(&self) -> bool {
        matches!(self, Self::Bm25(_)) || self.info().rows == RowForm::MultiVector
    }

    /// Who the model is, as a result file holds it.
    pub fn facts(&self) -> Json {
        match self {
            Self::Worker(client) => model_facts(client.info(), client.plugin(), client.config()),
            Self::Bm25(bm25) => bm25.facts(),
        }
    }
}

impl From<ModelClient> for LoadedModel {
    fn from(client: ModelClient) -> Self {
        Self::Worker(Box::new(client))
    }
}
