//! The model: what the host asks becomes questions to the endpoint.

use std::collections::HashMap;
use std::time::Duration;

use mteb_card::EmptyText;
use mteb_plugin_api::v1::{Model, ModelConfig, PluginError, Role};
use mteb_plugin_api::{Identity, ModelInfo, Prompts};
use mteb_remote::{Address, Budget, Client, Endpoint, Failure, Policy, Prices, Secret};
use serde_json::json;

use crate::Setup;
use crate::encode::{Embedder, Rows};
use crate::request::{Limits, Notes};
use crate::rerank::Reranker;
use crate::setup::{describe_endpoint, identity_weights};
use crate::styles::{Style, style};

/// Tokens of a batch that the host should send: enough for many requests at once.
const BATCH_TOKENS: u32 = 1 << 20;

/// Text by which the dimension is found out.
const PROBE: &str = "dimension";

/// Most bytes of rows that are kept after a failure, so that they are not paid twice.
const KEPT: usize = 256 << 20;

/// What to do about replies that take too long.
const TOO_LATE: &str = "; a slow endpoint needs a longer `--seconds-per-request`, or smaller `--texts-per-request` and `--concurrency`";

/// Attempts that may all take the longest time.
const LATE_ATTEMPTS: u32 = 5;

/// A model behind an endpoint.
pub struct ApiModel {
    setup: Setup,
    client: Client,
    style: &'static dyn Style,
    limits: Limits,
    address: Address,
    dimension: Option<usize>,
    notes: Notes,
    /// Rows that came before a failure, by prompt and text.
    kept: HashMap<(String, String), Vec<f32>>,
}

impl ApiModel {
    /// The model that `config` names. Where the dimension is not known, one short text is embedded.
    ///
    /// # Errors
    /// If the configuration is wrong, or the endpoint does not answer.
    pub fn new(config: &ModelConfig) -> Result<Self, PluginError> {
        let setup = Setup::of(config)?;
        let card = &setup.card;
        let wrong = |message: String| PluginError::invalid_input(message);
        if setup.reranks && card.empty_text == EmptyText::Zeros {
            return Err(wrong(
                "`empty_text`: expected `send` or `space`, because a reranker has no rows, found: zeros"
                    .to_owned(),
            ));
        }
        let url = card.url.as_deref().or(card.style.url()).ok_or_else(|| {
            wrong(format!("expected the URL of your own server for `{}`; give `--url`", card.style.name()))
        })?;
        let address = Address::new(url).map_err(|error| wrong(error.to_string()))?;
        let style = style(card.style);
        let key = setup.key_env.as_ref().and_then(|name| std::env::var(name).ok());
        let endpoint =
            Endpoint::with_header(address.clone(), key.map(|key| Secret::new(&key)), style.key_header());
        let endpoint = endpoint.map_err(|error| wrong(error.to_string()))?;
        let client =
            Client::new(endpoint, policy(&setup), prices(&setup), budget(&setup)?).map_err(plugin_error)?;
        let usual = style.limits();
        let limits = Limits {
            texts: card.texts_per_request.map_or(usual.texts, |texts| texts as usize),
            tokens: card.tokens_per_request.map_or(usual.tokens, |tokens| tokens as usize),
        };
        let dimension = setup.card.dimensions.or(setup.dimension).map(|dimension| dimension as usize);
        let mut model = Self {
            setup,
            client,
            style,
            limits,
            address,
            dimension,
            notes: Notes::default(),
            kept: HashMap::new(),
        };
        if model.dimension.is_none() && !model.setup.reranks {
            let row = model.rows(&[PROBE.to_owned()], "")?.remove(&0);
            model.dimension = row.map(|row| row.len());
        }
        Ok(model)
    }

    /// Rows of `texts` by their numbers.
    fn rows(&mut self, texts: &[String], prompt: &str) -> Result<Rows, PluginError> {
        let types = &self.setup.card.input_types;
        let input_type = Some(prompt).filter(|prompt| types.values().any(|known| known == prompt));
        let before = if input_type.is_some() { "" } else { prompt };
        let mut rows = Rows::new();
        let mut missing = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            match self.kept.remove(&(prompt.to_owned(), text.clone())) {
                Some(row) => drop(rows.insert(number, row)),
                None => missing.push(number),
            }
        }
        let sent: Vec<String> = missing.iter().map(|&number| format!("{before}{}", texts[number])).collect();
        let embedder = Embedder {
            client: &self.client,
            style: self.style,
            card: &self.setup.card,
            limits: self.limits,
            input_type,
            dimension: self.dimension,
        };
        let mut found = Rows::new();
        let result = embedder.embed(&sent, &mut self.notes, &mut found);
        rows.extend(found.into_iter().map(|(number, row)| (missing[number], row)));
        match result {
            Ok(()) => Ok(rows),
            Err(failure) => {
                self.keep(rows, texts, prompt);
                Err(plugin_error(failure))
            }
        }
    }

    /// Keeps what was paid for until the same texts are asked for again.
    fn keep(&mut self, rows: Rows, texts: &[String], prompt: &str) {
        let room = KEPT / (4 * self.dimension.unwrap_or(1).max(1));
        for (number, row) in rows {
            if self.kept.len() < room {
                self.kept.insert((prompt.to_owned(), texts[number].clone()), row);
            }
        }
    }
}

impl Model for ApiModel {
    fn info(&self) -> ModelInfo {
        let Setup { name, revision, card, max_tokens, reranks, .. } = &self.setup;
        let prompts = Prompts {
            named: card.input_types.clone(),
            default: card.input_types.contains_key("default").then(|| "default".to_owned()),
            ..Prompts::default()
        };
        let mut meta = std::collections::BTreeMap::new();
        let endpoint = describe_endpoint(card, &self.address, self.style.truncates(*reranks));
        meta.insert("endpoint".to_owned(), endpoint);
        ModelInfo {
            identity: Identity {
                name: name.clone(),
                revision: if revision.is_empty() { self.address.host() } else { revision.clone() },
                weights: identity_weights(card, &self.address),
                dtype: "f32".to_owned(),
            },
            dimension: self.dimension.unwrap_or_default() as u32,
            max_tokens: *max_tokens,
            device: Some("remote".to_owned()),
            cross_encoder: *reranks,
            batch_tokens: Some(BATCH_TOKENS),
            prompts,
            meta,
            ..ModelInfo::default()
        }
    }

    fn encode(
        &mut self,
        texts: &[&str],
        _: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let mut rows = self.rows(&texts, instruction)?;
        let dimension = self.dimension.unwrap_or(1).max(1);
        for (number, place) in out.chunks_exact_mut(dimension).enumerate() {
            if let Some(row) = rows.remove(&number) {
                place.copy_from_slice(&row);
            }
        }
        Ok(())
    }

    fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let prompted: Vec<String>;
        let mut asked: Vec<&str> = queries.to_vec();
        if !instruction.is_empty() {
            prompted = queries.iter().map(|query| format!("{instruction}{query}")).collect();
            asked = prompted.iter().map(String::as_str).collect();
        }
        let reranker =
            Reranker { client: &self.client, style: self.style, card: &self.setup.card, limits: self.limits };
        reranker.score(&asked, documents, out).map_err(plugin_error)
    }

    fn call(&mut self, method: &str, _: &str) -> Result<String, PluginError> {
        match method {
            "notes" => Ok(json!(self.notes.take()).to_string()),
            _ => Err(PluginError::unsupported(method)),
        }
    }
}

fn policy(setup: &Setup) -> Policy {
    let (card, usual) = (&setup.card, Policy::default());
    let seconds = |seconds: u32| Duration::from_secs(seconds.max(1).into());
    let attempt_time = card.seconds_per_request.map_or(usual.attempt_time, seconds);
    Policy {
        concurrency: card.concurrency.map_or(usual.concurrency, |most| most as usize),
        requests_per_minute: card.requests_per_minute.unwrap_or_default(),
        tokens_per_minute: card.tokens_per_minute.unwrap_or_default().into(),
        attempt_time,
        late: TOO_LATE,
        // As many attempts of the longest time as are made of the usual one.
        call_time: usual.call_time.max(attempt_time.saturating_mul(LATE_ATTEMPTS)),
        ..usual
    }
}

fn prices(setup: &Setup) -> Prices {
    let input = setup.card.prices.as_ref().map_or(0.0, |prices| prices.million_tokens);
    Prices { input, ..Prices::default() }
}

fn budget(setup: &Setup) -> Result<Budget, PluginError> {
    if setup.max_cost.is_some() && setup.card.prices.is_none() {
        return Err(PluginError::invalid_input(
            "`--max-cost`: expected a card with prices under `[api.prices]`, found none; `--max-calls` needs no prices",
        ));
    }
    Ok(Budget { calls: setup.max_calls, cost: setup.max_cost })
}

/// Only what can never work is wrong input, for which the run ends at its start.
fn plugin_error(failure: Failure) -> PluginError {
    let message = failure.to_string();
    match failure {
        Failure::Denied { .. } | Failure::Impossible(_) | Failure::Refused { .. } => {
            PluginError::invalid_input(message)
        }
        _ => PluginError::failed(message),
    }
}

#[cfg(test)]
mod tests {
    use mteb_card::ApiCard;

    use super::*;

    fn times(seconds_per_request: Option<u32>) -> (u64, u64) {
        let card = ApiCard { seconds_per_request, ..ApiCard::default() };
        let policy = policy(&Setup { card, ..Setup::default() });
        (policy.attempt_time.as_secs(), policy.call_time.as_secs())
    }

    #[test]
    fn a_longer_time_of_a_request_leaves_time_for_as_many_of_them() {
        assert_eq!(times(None), (120, 600));
        assert_eq!(times(Some(30)), (30, 600));
        assert_eq!(times(Some(600)), (600, 3000));
    }
}
