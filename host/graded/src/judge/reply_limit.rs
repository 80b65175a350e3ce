//! What servers in the form of OpenAI call the maximum number of tokens in a reply.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    pub(super) fn of_model(model: &str) -> Self {
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
