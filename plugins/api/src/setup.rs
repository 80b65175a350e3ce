//! The settings of the endpoint, from the host (the option `api` of a model's configuration), and the identity
//! of the model behind it: its weights cannot be seen, so this is all that is known to change its
//! embeddings.

use mteb_card::{ApiCard, ApiStyle, EmptyText, LongText};
use mteb_plugin_api::v1::{ModelConfig, PluginError};
use mteb_remote::Address;
use serde::Deserialize;
use serde_json::{Value, json};

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

/// What stands in place of a hash of the weights.
pub fn identity_weights(card: &ApiCard, address: &Address) -> String {
    let mut parts = vec![card.style.name().to_owned(), address.host(), card.model.clone()];
    parts.extend(card.dimensions.map(|dimensions| format!("dimensions={dimensions}")));
    parts.extend(own_path(card, address).map(|path| format!("path={path}")));
    parts.extend(policies(card).map(|(name, policy)| format!("{name}={policy}")));
    parts.join(" ")
}

/// What a result says of the endpoint; `truncates` if it is asked to cut texts that are too long.
pub fn describe_endpoint(card: &ApiCard, address: &Address, truncates: bool) -> Value {
    let mut endpoint = json!({
        "style": card.style,
        "host": address.host(),
        "model": card.model,
        "dimensions": card.dimensions,
    });
    if let Some(path) = own_path(card, address) {
        endpoint["path"] = path.into();
    }
    for (name, policy) in policies(card) {
        endpoint[name] = policy.into();
    }
    if truncates {
        endpoint["truncation"] = "provider".into();
    }
    endpoint
}

/// The path of the address, unless it is the style's usual one: a host may have several servers behind it.
fn own_path<'a>(card: &ApiCard, address: &'a Address) -> Option<&'a str> {
    let usual = card.style.url().and_then(|url| Address::new(url).ok());
    let usual = usual.as_ref().map_or("", Address::path);
    Some(address.path()).filter(|path| *path != usual)
}

/// What becomes of texts that the endpoint refuses, where the card has changed it.
fn policies(card: &ApiCard) -> impl Iterator<Item = (&'static str, &'static str)> {
    let empty = match card.empty_text {
        EmptyText::Send => None,
        EmptyText::Space => Some(("empty_text", "space")),
        EmptyText::Zeros => Some(("empty_text", "zeros")),
    };
    let cut = (card.long_text == LongText::Cut).then_some(("long_text", "cut"));
    empty.into_iter().chain(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights_of(url: &str, change: impl FnOnce(&mut ApiCard)) -> String {
        let mut card = ApiCard { model: "m".to_owned(), ..ApiCard::default() };
        change(&mut card);
        identity_weights(&card, &Address::new(url).unwrap())
    }

    #[test]
    fn what_changes_rows_changes_the_identity_and_the_usual_is_not_named() {
        let usual = weights_of("http://h:1/v1", |_| {});
        assert_eq!(usual, "openai h:1 m");
        assert_eq!(weights_of("http://h:1/v1/", |_| {}), usual);
        assert_eq!(weights_of("http://h:1/b/v1", |_| {}), "openai h:1 m path=/b/v1");
        assert_eq!(weights_of("http://h:1", |_| {}), "openai h:1 m path=");
        let changed = weights_of("http://h:1/v1", |card| {
            (card.dimensions, card.empty_text, card.long_text) = (Some(8), EmptyText::Space, LongText::Cut);
        });
        assert_eq!(changed, "openai h:1 m dimensions=8 empty_text=space long_text=cut");
        let zeros = weights_of("http://h:1/v1", |card| card.empty_text = EmptyText::Zeros);
        assert_eq!(zeros, "openai h:1 m empty_text=zeros");
    }

    #[test]
    fn a_result_names_the_truncation_that_is_asked_for() {
        let (card, address) = (ApiCard::default(), Address::new("http://h/v1").unwrap());
        assert_eq!(describe_endpoint(&card, &address, true)["truncation"], "provider");
        assert_eq!(describe_endpoint(&card, &address, false).get("truncation"), None);
    }
}
