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
        "max_tokens": card.limits.output_tokens,
        "response_format": {"type": "json_object"},
    })
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
