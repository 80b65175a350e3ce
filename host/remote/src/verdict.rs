//! What a status of HTTP means for a call: an answer, a failure that may pass, or one that will
//! not. The values of a JSON text are counted before it is parsed: two bytes of text may become a
//! hundred of memory.

use serde_json::Value;

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

/// The values of a JSON text, as far as `most` are passed: numbers, texts, lists and objects at every depth, keys left out. What is no
/// JSON has some number, too.
pub fn values_up_to(text: &[u8], most: usize) -> usize {
    let (mut values, mut rest) = (1, text);
    while let Some(place) = rest.iter().position(|byte| matches!(byte, b'"' | b',' | b'[' | b'{')) {
        let is_text = rest[place] == b'"';
        rest = &rest[place + 1..];
        if is_text {
            rest = behind_text(rest);
            continue;
        }
        values += 1;
        if values > most {
            break;
        }
    }
    values
}

/// What stands behind the end of a text whose begin was passed.
fn behind_text(mut rest: &[u8]) -> &[u8] {
    while let Some(place) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        let is_end = rest[place] == b'"';
        rest = rest.get(place + 1 + usize::from(!is_end)..).unwrap_or_default();
        if is_end {
            return rest;
        }
    }
    &[]
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

    #[test]
    fn no_text_has_more_values_than_are_counted() {
        for (text, counted) in [
            (&b"1"[..], 1),
            (b"[]", 2),
            (b"[1, 2]", 3),
            (br#"{"a": "[,\",", "b": [[], {}]}"#, 7),
            (br#"{"a": "\\", "b": 1}"#, 3),
            (b"\"never ended, [", 1),
            (b"\"\\", 1),
        ] {
            assert_eq!(values_up_to(text, 100), counted, "{}", String::from_utf8_lossy(text));
        }
        assert_eq!(values_up_to(&b"[],".repeat(1000), 10), 11);
    }
}
