//! The card of a judge, and what servers in the form of OpenAI call the maximum number of tokens in
//! a reply.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prompt::{Language, Prompt, prompt};
use crate::GradedError;

/// A judge, as its card describes it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeCard {
    /// Schema of the card: 1.
    pub schema: u32,
    /// Name of the judge in results.
    pub name: String,
    /// Description for readers; it says so if the judge is a language model.
    pub title: String,
    /// The score from which a document counts as relevant.
    pub threshold: f64,
    /// Its endpoint.
    pub endpoint: EndpointCard,
    /// Its prompt.
    pub prompt: PromptChoice,
    /// What it costs; absent if unknown.
    pub prices: Option<JudgePrices>,
    /// Limits of its requests.
    #[serde(default)]
    pub limits: Limits,
}

/// Endpoint of a judge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndpointCard {
    /// The format of requests and replies.
    pub style: Style,
    /// The address, without the path that the style adds; absent for `import`.
    #[serde(default)]
    pub url: String,
    /// The model, as the provider calls it.
    pub model: String,
    /// Other names that the provider may use for the model in its replies, besides the name
    /// followed by a date.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The environment variable with the key; absent for an endpoint without one.
    pub key_env: Option<String>,
    /// The temperature; absent for the provider's own.
    pub temperature: Option<f64>,
    /// Under which key requests of the style `openai` have `limits.output_tokens`; absent: by the name of the
    /// model, and under the other key if the server refuses this one and names it.
    pub output_tokens_as: Option<ReplyLimit>,
}

impl EndpointCard {
    /// The key under which the endpoint gets the maximum number of tokens in a reply: that of the card, else by the model's name.
    pub fn reply_limit(&self) -> ReplyLimit {
        self.output_tokens_as.unwrap_or_else(|| ReplyLimit::of_model(&self.model))
    }
}

/// The format of requests and replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// `chat/completions`, as OpenAI and many others have it.
    Openai,
    /// `messages`, as Anthropic has it.
    Anthropic,
    /// Nobody is asked over a network: whoever judges gets a file of pairs and gives one of judgements.
    Import,
}

/// The prompt of a judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptChoice {
    /// Its language.
    pub language: Language,
    /// Its version.
    pub version: u32,
}

/// Prices per million tokens.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgePrices {
    /// The currency, for display.
    #[serde(default)]
    pub currency: String,
    /// Of tokens in requests.
    pub input: f64,
    /// Of cached tokens in requests; absent: as for others.
    pub cached: Option<f64>,
    /// Of tokens in replies.
    pub output: f64,
}

/// Seconds of a day, which no attempt takes.
const DAY: u64 = 86_400;

/// Limits of a judge's requests.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Maximum number of concurrent requests, up to 1,024.
    pub concurrency: usize,
    /// Maximum number of requests per minute; 0 for no limit.
    pub requests_per_minute: u32,
    /// Maximum number of tokens per minute; 0 for no limit.
    pub tokens_per_minute: u64,
    /// Attempts before a pair counts as failed, up to 1,000.
    pub attempts: u32,
    /// Maximum number of tokens in a reply.
    pub output_tokens: u32,
    /// Bytes of text per token, for estimates.
    pub bytes_per_token: f64,
    /// Tokenizer for counting tokens in advance: a `tokenizer.json`, relative to the card's folder,
    /// or the name of a model on the hub; absent for estimates from bytes.
    pub tokenizer: Option<String>,
    /// Timeout of an attempt in seconds, up to 86,400.
    pub seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: 32,
            requests_per_minute: 0,
            tokens_per_minute: 0,
            attempts: 4,
            output_tokens: 512,
            bytes_per_token: 4.0,
            tokenizer: None,
            seconds: 120,
        }
    }
}

impl JudgeCard {
    /// The prompt that the judge gets; a card that was read has one.
    pub fn prompt(&self) -> Option<Prompt> {
        prompt(self.prompt.language, self.prompt.version)
    }
}

/// Reads the card of a judge.
///
/// # Errors
/// If it cannot be read, or says what cannot be.
pub fn read_card(path: &Path) -> Result<JudgeCard, GradedError> {
    let text = mteb_files::read_to_string(path, mteb_files::TEXT);
    parse_card(&path.display().to_string(), &text.map_err(|error| GradedError::file(path, "read", error))?)
}

/// Reads the text of a judge's card; `file` is its name, for messages.
///
/// # Errors
/// If it says what cannot be.
pub fn parse_card(file: &str, text: &str) -> Result<JudgeCard, GradedError> {
    let card: JudgeCard = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        GradedError::fault(format!("{file}, line {line}"), "the card of a judge", error.message())
    })?;
    match fault(&card) {
        Some((expected, found)) => Err(GradedError::fault(file, expected, found)),
        None => Ok(card),
    }
}

/// JSON Schema of the card of a judge.
pub fn card_schema() -> serde_json::Value {
    schemars::schema_for!(JudgeCard).to_value()
}

/// What was expected and found where a card says what cannot be.
fn fault(card: &JudgeCard) -> Option<(&'static str, String)> {
    let is_price = |price: f64| (0.0..=1e6).contains(&price);
    let mut prices =
        card.prices.iter().flat_map(|prices| [prices.input, prices.output, prices.cached.unwrap_or(0.0)]);
    if card.schema != 1 {
        return Some(("`schema = 1`", card.schema.to_string()));
    }
    if (card.endpoint.style == Style::Import) != card.endpoint.url.is_empty() {
        return Some(match card.endpoint.style {
            // It is not shown, because a password may stand in it.
            Style::Import => ("no `endpoint.url` with the style `import`", "one".to_owned()),
            _ => ("an `endpoint.url`", "none".to_owned()),
        });
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    };
    if !is_name(&card.name) || card.name.starts_with('.') {
        return Some((
            "a `name` of letters, digits, `-`, `_` and `.`, because files are named after it",
            card.name.clone(),
        ));
    }
    if let Some(limit) = card.endpoint.output_tokens_as.filter(|_| card.endpoint.style != Style::Openai) {
        return Some(("`endpoint.output_tokens_as` with the style `openai` alone", limit.key().to_owned()));
    }
    if card.endpoint.aliases.iter().any(String::is_empty) {
        return Some(("`endpoint.aliases` with names", "an empty one".to_owned()));
    }
    if !(0.0..=10.0).contains(&card.threshold) {
        return Some(("a `threshold` from 0 to 10", card.threshold.to_string()));
    }
    if card.prompt().is_none() {
        return Some(("a `prompt.version` of 1 or 2", card.prompt.version.to_string()));
    }
    if let Some(price) = prices.find(|price| !is_price(*price)) {
        return Some(("`prices` per million tokens from 0 to 1000000", price.to_string()));
    }
    if !(1..=1024).contains(&card.limits.concurrency) {
        return Some(("`limits.concurrency` from 1 to 1024", card.limits.concurrency.to_string()));
    }
    if !(1..=1000).contains(&card.limits.attempts) {
        return Some(("`limits.attempts` from 1 to 1000", card.limits.attempts.to_string()));
    }
    if !(1..=DAY).contains(&card.limits.seconds) {
        return Some(("`limits.seconds` from 1 to 86400", card.limits.seconds.to_string()));
    }
    if card.limits.bytes_per_token.is_nan() || card.limits.bytes_per_token < 0.5 {
        return Some(("`limits.bytes_per_token` of 0.5 or more", card.limits.bytes_per_token.to_string()));
    }
    None
}

/// The key of the maximum number of tokens in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplyLimit {
    /// `max_tokens`, which most servers know, and which OpenAI's models that reason refuse.
    MaxTokens,
    /// `max_completion_tokens`, which OpenAI's models that reason want, and other servers may not know.
    MaxCompletionTokens,
}

impl ReplyLimit {
    /// How requests spell it.
    pub fn key(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }

    /// The key that a model wants by its name, behind which there may be another one.
    fn of_model(model: &str) -> Self {
        let name = model.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let reasons = ["gpt-5", "o1", "o3", "o4"].iter().any(|family| {
            name.strip_prefix(family)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
        });
        if reasons { Self::MaxCompletionTokens } else { Self::MaxTokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_reason_get_the_limit_under_the_name_that_they_know() {
        for model in ["gpt-5-nano", "gpt-5", "openai/GPT-5.1-mini", "o1", "o3-mini", "o4-mini-2025-04-16"] {
            assert_eq!(ReplyLimit::of_model(model).key(), "max_completion_tokens", "{model}");
        }
        for model in ["gpt-4.1-mini", "gpt-4o", "grok-4-fast", "o1ive", "gemini-3-flash-preview", "m-1", ""] {
            assert_eq!(ReplyLimit::of_model(model).key(), "max_tokens", "{model}");
        }
    }
}
