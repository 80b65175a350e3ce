//! The settings of the endpoint, from the host: the option `api` of a model's configuration.

use mteb_card::{ApiCard, ApiStyle};
use mteb_plugin_api::v1::{ModelConfig, PluginError};
use serde::Deserialize;

/// The option `api`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Name under which results are kept.
    pub name: String,
    /// Revision under which results are kept; empty for the host of the endpoint.
    pub revision: String,
    /// How the model is asked.
    pub card: ApiCard,
    /// Variable with the key, if the user lets the endpoint have one.
    pub key_env: Option<String>,
    /// Numbers a row, if they are known before the first question.
    pub dimension: Option<u32>,
    /// Tokens behind which the endpoint cuts, if known.
    pub max_tokens: Option<u32>,
    /// True for a model that scores pairs.
    pub reranks: bool,
    /// Most calls.
    pub max_calls: Option<u64>,
    /// Most money, in the currency of the prices.
    pub max_cost: Option<f64>,
}

impl Setup {
    /// What `config` says; without the option, what the name of the model says.
    ///
    /// # Errors
    /// If it does not say which model to ask where.
    pub fn of(config: &ModelConfig) -> Result<Self, PluginError> {
        let mut setup = match config.options.get("api") {
            Some(option) => Self::deserialize(option).map_err(|error| {
                PluginError::invalid_input(format!("the option `api` of the model: {error}"))
            })?,
            None => Self { card: card_of(&config.name)?, ..Self::default() },
        };
        if setup.name.is_empty() {
            setup.name.clone_from(&config.name);
        }
        Ok(setup)
    }
}

/// The endpoint that a name as `openai:text-embedding-3-small` means.
fn card_of(name: &str) -> Result<ApiCard, PluginError> {
    let found = name.split_once(':').and_then(|(style, model)| {
        let style = ApiStyle::ALL.into_iter().find(|known| known.name() == style)?;
        Some(ApiCard { style, model: model.to_owned(), ..ApiCard::default() })
    });
    found
        .filter(|card| !card.model.is_empty())
        .ok_or_else(|| PluginError::not_found(format!("expected a model as `openai:NAME`, found: {name}")))
}
