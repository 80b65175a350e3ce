//! How a reply is read: strictly, because a score that was guessed from a broken reply would be nobody's judgement.

use std::iter;

use serde::Deserialize;
use serde_json::Value;

use super::card::{EndpointCard, Style};
use crate::store::Tokens;

/// Most bytes of a judgement: a thousand times what three sentences take, and little even as a list of nothing but lists.
const MOST: usize = 256 << 10;

/// What is expected of JSON that has a key twice.
const ONCE: &str = "each key of the JSON once";

/// A judgement as it was replied.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The score, from 0 to 10.
    pub score: f64,
    /// Why.
    pub reasoning: String,
    /// What it took.
    pub tokens: Tokens,
}

/// Why a reply is no judgement; another attempt may bring one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found: {found}")]
pub struct ReplyFault {
    expected: &'static str,
    found: String,
}

fn fault(expected: &'static str, found: impl ToString) -> ReplyFault {
    ReplyFault { expected, found: found.to_string().chars().take(120).collect() }
}

/// Reads the body of a reply of the model of `endpoint`. What is no judgement need not say whose it is.
///
/// # Errors
/// The inner error as of [`read_reply`].
///
/// The outer one if it names another model, or brings a judgement and names none.
pub fn read_reply_of(endpoint: &EndpointCard, body: &[u8]) -> Result<Result<Reply, ReplyFault>, OtherModel> {
    let other = check_model(endpoint, body).err();
    if let Some(other) = other.clone().filter(|other| other.found.is_some()) {
        return Err(other);
    }
    match (read_reply(endpoint.style, body), other) {
        (Ok(_), Some(other)) => Err(other),
        (read, _) => Ok(read),
    }
}

/// Reads the body of a reply.
///
/// # Errors
/// If it is malformed, cut, refused, or holds no score from 0 to 10 as a number behind its reasoning.
pub fn read_reply(style: Style, body: &[u8]) -> Result<Reply, ReplyFault> {
    let reply = mteb_data::each_key_once(body).map_err(|error| {
        let expected = if error.is_data() { ONCE } else { "a reply as JSON" };
        fault(expected, String::from_utf8_lossy(body).trim_start())
    })?;
    let (text, tokens) = match style {
        Style::Openai => openai(&reply)?,
        Style::Anthropic => anthropic(&reply)?,
        Style::Import => (reply.to_string(), Tokens::default()),
    };
    let (score, reasoning) = judgement(&text)?;
    Ok(Reply { score, reasoning, tokens })
}

/// Checks that a reply names the model of `endpoint`, or an alias that its card names, whatever path stands before it; behind the name may stand
/// a date, as `gpt-4.1-mini-2025-04-14`.
///
/// # Errors
/// If it names another, or none.
fn check_model(endpoint: &EndpointCard, body: &[u8]) -> Result<(), OtherModel> {
    let reply: Value = serde_json::from_slice(body).unwrap_or_default();
    let found = reply["model"].as_str().unwrap_or_default();
    let mut names = iter::once(&endpoint.model).chain(&endpoint.aliases);
    if names.any(|name| is_of_model(found, name)) {
        return Ok(());
    }
    let found = (!found.is_empty()).then(|| found.chars().take(120).collect());
    Err(OtherModel { expected: endpoint.model.clone(), found })
}

fn is_of_model(found: &str, name: &str) -> bool {
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let (found, name) = (last(found), last(name));
    !name.is_empty() && found.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || is_date(rest))
}

/// True for `-2025-04-14`, `-20250414` and `@20250414`.
fn is_date(text: &str) -> bool {
    let Some(date) = text.strip_prefix(['-', '@']) else { return false };
    let digits: String = match date.split('-').collect::<Vec<_>>().as_slice() {
        [date] => (*date).to_owned(),
        [year, month, day] if (year.len(), month.len(), day.len()) == (4, 2, 2) => {
            [*year, month, day].concat()
        }
        _ => return false,
    };
    let is_written = digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_written && ("01".."13").contains(&&digits[4..6]) && ("01".."32").contains(&&digits[6..])
}

/// A reply of another model than the judge's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{begin} {expected}, found: {found}; a name that the provider uses for it in replies belongs in \
     `endpoint.aliases` of the judge's card",
    begin = Self::BEGIN, found = found.as_deref().unwrap_or("no name")
)]
pub struct OtherModel {
    expected: String,
    found: Option<String>,
}

impl OtherModel {
    /// How its message begins.
    pub const BEGIN: &str = "expected replies of the model";
}

/// The tokens of a reply, be it a judgement or not; `None` if it is no JSON object, zeros if it does not count them.
pub fn reply_tokens(style: Style, body: &[u8]) -> Option<Tokens> {
    let reply: Value = serde_json::from_slice(body).ok().filter(Value::is_object)?;
    Some(match style {
        Style::Openai => openai_tokens(&reply),
        Style::Anthropic => anthropic_tokens(&reply),
        Style::Import => Tokens::default(),
    })
}

fn openai_tokens(reply: &Value) -> Tokens {
    let count = |place| reply.pointer(place).and_then(Value::as_u64).unwrap_or(0);
    let input = count("/usage/prompt_tokens");
    Tokens {
        input,
        // Some are of the input, whatever an endpoint says.
        cached: count("/usage/prompt_tokens_details/cached_tokens").min(input),
        output: count("/usage/completion_tokens"),
    }
}

fn anthropic_tokens(reply: &Value) -> Tokens {
    let count = |place| reply.pointer(place).and_then(Value::as_u64).unwrap_or(0);
    // What was read from the cache and written to it is counted beside the rest here.
    let cached = count("/usage/cache_read_input_tokens");
    let counts = [count("/usage/input_tokens"), count("/usage/cache_creation_input_tokens"), cached];
    let input = counts.into_iter().fold(0, u64::saturating_add);
    Tokens { input, cached, output: count("/usage/output_tokens") }
}

fn openai(reply: &Value) -> Result<(String, Tokens), ReplyFault> {
    let choices = reply["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
    let [choice] = choices else {
        return Err(match choices.len() {
            0 => fault("a choice in the reply", reply),
            several => fault("one choice in the reply", several),
        });
    };
    match choice["finish_reason"].as_str() {
        Some("length") => {
            return Err(fault("a complete reply", "one that was truncated at `limits.output_tokens`"));
        }
        Some("content_filter") => return Err(fault("a judgement", "a refusal")),
        _ => {}
    }
    if let Some(refusal) = choice.pointer("/message/refusal").and_then(Value::as_str) {
        return Err(fault("a judgement", format!("a refusal: {refusal}")));
    }
    let text = choice.pointer("/message/content").and_then(Value::as_str);
    let text = text.ok_or_else(|| fault("a text in the reply", choice))?;
    Ok((text.to_owned(), openai_tokens(reply)))
}

fn anthropic(reply: &Value) -> Result<(String, Tokens), ReplyFault> {
    match reply["stop_reason"].as_str() {
        Some("max_tokens") => {
            return Err(fault("a complete reply", "one that was truncated at `limits.output_tokens`"));
        }
        Some("refusal") => return Err(fault("a judgement", "a refusal")),
        _ => {}
    }
    let parts = reply["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    if text.is_empty() {
        return Err(fault("a text in the reply", reply));
    }
    Ok((text, anthropic_tokens(reply)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judgement {
    reasoning: String,
    score: Value,
}

/// Score and reasoning of the text of a reply.
fn judgement(text: &str) -> Result<(f64, String), ReplyFault> {
    const EXPECTED: &str = "`{\"reasoning\": text, \"score\": number}` and nothing else";
    if text.len() > MOST {
        return Err(fault("a judgement of at most 256 KiB", format!("{} bytes", text.len())));
    }
    let text = without_fence(text.trim());
    let object = match mteb_data::each_key_once(text.as_bytes()) {
        Ok(Value::Object(object)) => object,
        Err(error) if error.is_data() => return Err(fault(ONCE, text)),
        _ => return Err(fault(EXPECTED, text)),
    };
    if object.keys().next_back().is_none_or(|last| last != "score") {
        return Err(fault("the reasoning first and the score last", text));
    }
    let judgement: Judgement =
        serde_json::from_value(Value::Object(object)).map_err(|_| fault(EXPECTED, text))?;
    let score = judgement.score.as_f64().ok_or_else(|| fault("a score as a number", &judgement.score))?;
    if !(0.0..=10.0).contains(&score) {
        return Err(fault("a score from 0 to 10", score));
    }
    Ok((score, judgement.reasoning))
}

/// `text` without the fence that some models put around JSON.
fn without_fence(text: &str) -> &str {
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    inner.and_then(|inner| inner.strip_suffix("```")).map_or(text, str::trim)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn openai_reply(text: &str) -> Result<Reply, String> {
        let body = json!({
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 800, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 640}},
        });
        read_reply(Style::Openai, body.to_string().as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_judgement_is_read_with_its_tokens_also_from_a_fence() {
        let tokens = Tokens { input: 800, cached: 640, output: 40 };
        let expected = Reply { score: 6.5, reasoning: "a part".to_owned(), tokens };
        assert_eq!(openai_reply(r#"{"reasoning": "a part", "score": 6.5}"#), Ok(expected.clone()));
        assert_eq!(openai_reply("```json\n{\"reasoning\": \"a part\", \"score\": 6.5}\n```"), Ok(expected));
        let body = json!({
            "content": [{"type": "text", "text": "{\"reasoning\": \"none\", \"score\": 0}"}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 100, "cache_read_input_tokens": 700, "output_tokens": 20},
        });
        let reply = read_reply(Style::Anthropic, body.to_string().as_bytes()).unwrap();
        assert_eq!((reply.score, reply.tokens), (0.0, Tokens { input: 800, cached: 700, output: 20 }));
    }

    #[test]
    fn what_is_no_judgement_is_never_a_score() {
        for (text, expected) in [
            (r#"{"reasoning": "x", "score": "7"}"#, "expected a score as a number, found: \"7\""),
            (r#"{"reasoning": "x", "score": 11}"#, "expected a score from 0 to 10, found: 11"),
            (r#"{"reasoning": "x", "score": -0.5}"#, "expected a score from 0 to 10, found: -0.5"),
            (
                r#"{"score": 7.0, "reasoning": "x"}"#,
                "expected the reasoning first and the score last, found: {\"score\": 7.0, \"reasoning\": \"x\"}",
            ),
            (
                r#"{"reasoning": "x", "sco"#,
                "expected `{\"reasoning\": text, \"score\": number}` and nothing else, found: {\"reasoning\": \"x\", \"sco",
            ),
            (
                r#"{"reasoning": "x", "score": 1, "score": 9}"#,
                "expected each key of the JSON once, found: {\"reasoning\": \"x\", \"score\": 1, \"score\": 9}",
            ),
        ] {
            assert_eq!(openai_reply(text).unwrap_err(), expected);
        }
        let read = |body: &str| read_reply(Style::Openai, body.as_bytes()).unwrap_err().to_string();
        assert_eq!(read("<html>Busy</html>"), "expected a reply as JSON, found: <html>Busy</html>");
        assert_eq!(
            read(r#"{"choices":[],"choices":[]}"#),
            r#"expected each key of the JSON once, found: {"choices":[],"choices":[]}"#
        );
        assert_eq!(read(r#"{"choices":[]}"#), r#"expected a choice in the reply, found: {"choices":[]}"#);
        assert_eq!(read(r#"{"choices":[{},{}]}"#), "expected one choice in the reply, found: 2");
        assert_eq!(
            read(
                r#"{"choices":[{"finish_reason":"length","message":{"content":"{\"reasoning\":\"a\",\"score\":1}"}}]}"#
            ),
            "expected a complete reply, found: one that was truncated at `limits.output_tokens`"
        );
    }
}
