//! What a status of HTTP means for a call: an answer, a failure that may pass, or one that will not.

use serde_json::Value;

use crate::json_values::values_up_to;

/// Characters of a reply that a message shows.
const SHOWN: usize = 300;

/// Most values of a reply that is looked through for its message.
const VALUES: usize = 4096;

/// What becomes of a call after a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The reply is to be read.
    Answered,
    /// Too much was asked; wait and ask again.
    TooMuch,
    /// A failure that may pass.
    Passing,
    /// This input is refused.
    Refused,
    /// No access, whatever is asked.
    Denied(&'static str),
}

/// The verdict on a reply.
pub fn verdict(status: u16, body: &[u8]) -> Verdict {
    match status {
        200..=299 => Verdict::Answered,
        300..=399 => Verdict::Denied(
            "; a redirect is not followed, as it could lead the key elsewhere: give the address it leads to",
        ),
        // A spent credit is told as too many requests.
        429 if contains(body, b"insufficient_quota") => Verdict::Denied("; the account's credit is spent"),
        429 => Verdict::TooMuch,
        401 | 403 => Verdict::Denied("; is the key right, and in the variable that `key_env` names?"),
        402 => Verdict::Denied("; the account's credit is spent"),
        404 | 405 => Verdict::Denied("; are the address and the name of the model right?"),
        408 | 409 | 425 | 500..=599 => Verdict::Passing,
        _ => Verdict::Refused,
    }
}

/// What a reply says, in one line: the message of its JSON, else its begin.
pub fn said(body: &[u8]) -> String {
    let is_small = values_up_to(body, VALUES) <= VALUES;
    let reply = is_small.then(|| serde_json::from_slice::<Value>(body).ok()).flatten();
    let message = reply.and_then(|reply| message_in(&reply));
    let text = message.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.is_empty() => "nothing".to_owned(),
        None => text,
    }
}

fn message_in(reply: &Value) -> Option<String> {
    let places = ["/error/message", "/message", "/detail", "/error", "/errors/0/message", "/0/error/message"];
    places.iter().filter_map(|place| reply.pointer(place)).find_map(|found| match found {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) => Some(found.to_string()),
        _ => None,
    })
}

fn contains(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_requests_pass_and_a_spent_credit_does_not() {
        assert_eq!(verdict(429, b"slow down"), Verdict::TooMuch);
        assert!(matches!(verdict(429, br#"{"error":{"code":"insufficient_quota"}}"#), Verdict::Denied(_)));
        assert_eq!(verdict(529, b""), Verdict::Passing);
        assert_eq!(verdict(422, b""), Verdict::Refused);
        assert_eq!(verdict(413, b""), Verdict::Refused);
    }

    #[test]
    fn the_message_of_a_reply_is_found_where_providers_put_it() {
        assert_eq!(said(br#"{"error":{"message":"too  long"}}"#), "too long");
        assert_eq!(said(br#"{"detail":"no such model"}"#), "no such model");
        assert_eq!(said(br#"{"error":"model not found"}"#), "model not found");
        assert_eq!(said(b"<html>\nBad Gateway</html>"), "<html> Bad Gateway</html>");
        assert_eq!(said(b""), "nothing");
        assert_eq!(said("é".repeat(400).as_bytes()).chars().count(), 301);
    }
}
