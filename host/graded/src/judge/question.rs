//! How a pair is asked: the rubric and the query first, which many questions share and providers cache; the document last.

use serde_json::{Value, json};

use super::card::{JudgeCard, Style};
use super::prompt::Prompt;

/// A pair that is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The text of its query.
    pub query: &'a str,
    /// The text of its document.
    pub document: &'a str,
}

impl Question<'_> {
    /// What stands behind the rubric and is the same for all documents of a query.
    pub(super) fn shared(&self, prompt: &Prompt) -> String {
        format!("<query>\n{}:\n{}\n</query>\n\n", prompt.query, self.query)
    }

    /// What is asked of this document alone.
    pub(super) fn own(&self, prompt: &Prompt) -> String {
        format!("<document>\n{}:\n{}\n</document>", prompt.document, self.document)
    }
}

/// The path of questions below the address of an endpoint.
pub fn path(style: Style) -> &'static str {
    match style {
        Style::Openai => "chat/completions",
        Style::Anthropic => "messages",
        Style::Import => "",
    }
}

/// The JSON of a question.
pub fn body(card: &JudgeCard, prompt: &Prompt, question: Question<'_>) -> Value {
    let mut body = match card.endpoint.style {
        Style::Openai => openai(card, prompt, question),
        Style::Anthropic => anthropic(card, prompt, question),
        Style::Import => return json!({"query": question.query, "document": question.document}),
    };
    if let Some(temperature) = card.endpoint.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

fn openai(card: &JudgeCard, prompt: &Prompt, question: Question<'_>) -> Value {
    json!({
        "model": card.endpoint.model,
        "messages": [
            {"role": "system", "content": prompt.rubric},
            {"role": "user", "content": question.shared(prompt) + &question.own(prompt)},
        ],
        limit_name(&card.endpoint.model): card.limits.output_tokens,
        "response_format": {"type": "json_object"},
    })
}

/// What the most tokens of a reply are called: OpenAI's models that reason refuse `max_tokens`, and other providers know nothing else.
fn limit_name(model: &str) -> &'static str {
    let name = model.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let reasons = ["gpt-5", "o1", "o3", "o4"].iter().any(|family| {
        name.strip_prefix(family)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
    });
    if reasons { "max_completion_tokens" } else { "max_tokens" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_reason_get_the_limit_under_the_name_that_they_know() {
        for model in ["gpt-5-nano", "gpt-5", "openai/GPT-5.1-mini", "o1", "o3-mini", "o4-mini-2025-04-16"] {
            assert_eq!(limit_name(model), "max_completion_tokens", "{model}");
        }
        for model in ["gpt-4.1-mini", "gpt-4o", "grok-4-fast", "o1ive", "gemini-3-flash-preview", "m-1", ""] {
            assert_eq!(limit_name(model), "max_tokens", "{model}");
        }
    }
}

fn anthropic(card: &JudgeCard, prompt: &Prompt, question: Question<'_>) -> Value {
    json!({
        "model": card.endpoint.model,
        "system": [{"type": "text", "text": prompt.rubric}],
        "messages": [{"role": "user", "content": [
            {"type": "text", "text": question.shared(prompt), "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": question.own(prompt)},
        ]}],
        "max_tokens": card.limits.output_tokens,
    })
}
