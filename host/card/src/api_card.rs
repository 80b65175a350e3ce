//! How a model behind an HTTP endpoint is asked: the table `[api]` of a model card.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An endpoint, the model there, and its limits and prices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiCard {
    /// Format of requests and replies.
    pub style: ApiStyle,
    /// Name of the model at the endpoint.
    pub model: String,
    /// Address, e.g. `https://api.example.org/v1`; absent for that of the style's provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Environment variable with the key; absent for the usual one of the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// Dimensions to request; absent if the endpoint decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<u32>,
    /// Format of embeddings in responses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub encoding_format: EncodingFormat,
    /// The endpoint's input types, by the names that prompts have (`query`, `document`, a task type
    /// or a task name); `default` for all others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub input_types: BTreeMap<String, String>,
    /// Maximum number of texts per request; absent for that of the style.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts_per_request: Option<u32>,
    /// Maximum number of tokens per request, estimated at three bytes per token; absent for that of
    /// the style.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_request: Option<u32>,
    /// Maximum number of requests per minute; absent for no limit except that of the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// Maximum number of tokens per minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u32>,
    /// Maximum number of concurrent requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// Timeout of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_request: Option<u32>,
    /// How to treat an empty text.
    #[serde(default, skip_serializing_if = "is_default")]
    pub empty_text: EmptyText,
    /// How to treat a text that the endpoint refuses as too long.
    #[serde(default, skip_serializing_if = "is_default")]
    pub long_text: LongText,
    /// What it costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<ApiPrices>,
}

/// The form of questions and replies, by the provider that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApiStyle {
    /// OpenAI's `/embeddings`, which many servers follow; `/rerank` as those servers have it.
    #[default]
    OpenAi,
    /// Cohere's version 2.
    Cohere,
    /// Voyage AI.
    Voyage,
    /// Jina AI.
    Jina,
    /// Google's Gemini API.
    Gemini,
    /// ZeroEntropy.
    ZeroEntropy,
    /// Text Embeddings Inference.
    Tei,
    /// Ollama.
    Ollama,
}

/// Format of embeddings in responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EncodingFormat {
    /// As numbers of JSON.
    #[default]
    Float,
    /// As their bytes, little-endian `f32` in base64: a third of the length.
    Base64,
}

/// How to treat an empty text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmptyText {
    /// It is sent as it is; an endpoint that refuses it fails its unit.
    #[default]
    Send,
    /// One space is sent in its place, which the results say.
    Space,
    /// It is not sent; its row is zeros, as the reference's wrapper of OpenAI gives it, which the results say.
    Zeros,
}

/// How to treat a text that the endpoint refuses as too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LongText {
    /// Its unit fails.
    #[default]
    Refuse,
    /// Its end is cut, a quarter at a time, until it is taken, which the results say.
    Cut,
}

/// What an endpoint costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiPrices {
    /// Currency, e.g. `USD`.
    pub currency: String,
    /// Price per million tokens.
    pub million_tokens: f64,
    /// Day on which these were the prices, e.g. `2026-01-31`.
    pub date: String,
}

impl ApiStyle {
    /// All styles.
    pub const ALL: [Self; 8] = [
        Self::OpenAi,
        Self::Cohere,
        Self::Voyage,
        Self::Jina,
        Self::Gemini,
        Self::ZeroEntropy,
        Self::Tei,
        Self::Ollama,
    ];

    /// Its name, as cards and `--model NAME:…` have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Cohere => "cohere",
            Self::Voyage => "voyage",
            Self::Jina => "jina",
            Self::Gemini => "gemini",
            Self::ZeroEntropy => "zeroentropy",
            Self::Tei => "tei",
            Self::Ollama => "ollama",
        }
    }

    /// True if rows may travel as bytes in base64 there.
    pub fn has_base64(self) -> bool {
        match self {
            Self::OpenAi | Self::Voyage | Self::Jina | Self::ZeroEntropy => true,
            Self::Cohere | Self::Gemini | Self::Tei | Self::Ollama => false,
        }
    }

    /// The address of the provider; `None` if everybody runs a server of his own.
    pub fn url(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Cohere => Some("https://api.cohere.com/v2"),
            Self::Voyage => Some("https://api.voyageai.com/v1"),
            Self::Jina => Some("https://api.jina.ai/v1"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
            Self::ZeroEntropy => Some("https://api.zeroentropy.dev/v1"),
            Self::Tei => None,
            Self::Ollama => Some("http://localhost:11434"),
        }
    }

    /// The variable in which users of the provider keep their key; `None` if it asks for none.
    pub fn key_env(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Cohere => Some("CO_API_KEY"),
            Self::Voyage => Some("VOYAGE_API_KEY"),
            Self::Jina => Some("JINA_API_KEY"),
            Self::Gemini => Some("GEMINI_API_KEY"),
            Self::ZeroEntropy => Some("ZEROENTROPY_API_KEY"),
            Self::Tei | Self::Ollama => None,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_is_written_as_it_is_called() {
        for style in ApiStyle::ALL {
            assert_eq!(serde_json::to_value(style).unwrap(), style.name());
        }
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error =
            toml::from_str::<ApiCard>("style = \"tei\"\nmodel = \"m\"\nkey = \"secret\"").unwrap_err();
        assert!(error.message().contains("unknown field `key`"), "{error}");
    }
}
