//! Questions and replies in the file form of the providers' batches: a line of JSON a pair, named by the pair.

use serde_json::{Value, json};

use super::card::{JudgeCard, Style};
use super::prompt::Prompt;
use super::question::{Question, body};
use super::reply::{Reply, read_reply};
use crate::PairId;

/// The line of a question.
pub fn batch_line(card: &JudgeCard, prompt: &Prompt, pair: PairId, question: Question<'_>) -> String {
    let body = body(card, prompt, question);
    let line = match card.endpoint.style {
        Style::Openai => json!({
            "custom_id": pair.to_string(), "method": "POST", "url": "/v1/chat/completions", "body": body,
        }),
        Style::Anthropic => json!({"custom_id": pair.to_string(), "params": body}),
    };
    line.to_string()
}

/// The reply to a pair: a judgement, or why there is none.
pub type BatchReply = (PairId, Result<Reply, String>);

/// Reads the line of a reply.
///
/// # Errors
/// If it is none, or does not name its pair.
pub fn read_batch_reply(style: Style, line: &str) -> Result<BatchReply, String> {
    let line: Value = serde_json::from_str(line).map_err(|error| format!("expected JSON, found: {error}"))?;
    let name = line["custom_id"].as_str().unwrap_or_default();
    let pair: PairId = name.parse()?;
    let reply = match style {
        Style::Openai => line.pointer("/response/body").filter(|_| line["error"].is_null()),
        Style::Anthropic => line.pointer("/result/message"),
    };
    let failure = || match style {
        Style::Openai => line["error"].to_string(),
        Style::Anthropic => line["result"].to_string(),
    };
    let reply = match reply {
        Some(reply) => read_reply(style, reply.to_string().as_bytes()).map_err(|error| error.to_string()),
        None => Err(format!("expected a reply, found: {}", failure())),
    };
    Ok((pair, reply))
}
