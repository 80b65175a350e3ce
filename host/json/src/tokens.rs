//! What Python writes as JSON and a JSON library does not read, or not exactly: `NaN`, the infinities, whole numbers beyond 64 bits.
//! While the library reads the rest, each stands in quotes, marked as no result marks a text.

use std::borrow::Cow;

/// The tokens of Python.
const NAMES: [(&str, f64); 3] =
    [("-Infinity", f64::NEG_INFINITY), ("Infinity", f64::INFINITY), ("NaN", f64::NAN)];

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// One of Python's tokens.
    Number(f64),
    /// The digits of a whole number that 64 bits do not hold.
    Whole(&'a str),
}

/// Puts the tokens of `text` into quotes. A text without tokens stays what it is.
pub fn quote_tokens(text: &str) -> Cow<'_, str> {
    replace_tokens(text, |token, out| out.extend(["\"\\u0000", token, "\""]))
}

/// What `read` makes of `text`. Where it refuses Python's tokens, it is given the same text with `null` in their place: they are rare, and
/// cost a copy of the text.
///
/// # Errors
/// Those of `read`.
pub fn read_past_tokens<T, E>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
    match read(text) {
        Err(_) if text.contains("NaN") || text.contains("Infinity") => read(&without_tokens(text)),
        outcome => outcome,
    }
}

/// `text` with `null` in place of `NaN`, `Infinity` and `-Infinity`; texts within quotes stay.
fn without_tokens(text: &str) -> Cow<'_, str> {
    replace_tokens(text, |token, out| out.push_str(if is_name(token) { "null" } else { token }))
}

/// `text` with what `put` writes for each token outside quotes.
fn replace_tokens(text: &str, put: impl Fn(&str, &mut String)) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'N' | b'I' | b'-' | b'0'..=b'9' => {
                let Some((token, is_quoted)) = token_at(&text[at..]) else {
                    at += 1;
                    continue;
                };
                if is_quoted {
                    out.push_str(&text[copied..at]);
                    put(token, &mut out);
                    copied = at + token.len();
                }
                at += token.len();
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn is_name(token: &str) -> bool {
    NAMES.iter().any(|(name, _)| *name == token)
}

/// Behind the quote that ends the string whose inside begins at `at`; the end of the text where none does.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// What the text in the quotes of [`quote_tokens`] stands for; `None` if it is a text.
pub fn token(text: &str) -> Option<Token<'_>> {
    let marked = text.strip_prefix('\0')?;
    match NAMES.iter().find(|(name, _)| *name == marked) {
        Some((_, number)) => Some(Token::Number(*number)),
        None => is_beyond(marked).then_some(Token::Whole(marked)),
    }
}

/// The token or number with which `text` begins, and whether it is to stand in quotes.
fn token_at(text: &str) -> Option<(&str, bool)> {
    if let Some((name, _)) = NAMES.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((&text[..name.len()], true));
    }
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit()).then(|| {
        let is_of_number =
            |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.' | 'e' | 'E');
        let end = text.find(|letter| !is_of_number(letter)).unwrap_or(text.len());
        (&text[..end], is_beyond(&text[..end]))
    })
}

/// True of a whole number that 64 bits do not hold.
fn is_beyond(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0')
        && !digits.is_empty()
        && number.parse::<i64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_stands_for_what_it_was() {
        let text = r#"{"NaN": [NaN, -Infinity, 12, 1e400, 9223372036854775808, -99999999999999999999], "a\"12345678901234567890": 0.1}"#;
        let expected = r#"{"NaN": ["\u0000NaN", "\u0000-Infinity", 12, 1e400, "\u00009223372036854775808", "\u0000-99999999999999999999"], "a\"12345678901234567890": 0.1}"#;
        assert_eq!(quote_tokens(text), expected);
        assert!(matches!(quote_tokens(r#"{"é\\\"1": -1.5e3, "b": [true, null], "c"#), Cow::Borrowed(_)));
        assert_eq!(token("\0-Infinity"), Some(Token::Number(f64::NEG_INFINITY)));
        assert_eq!(token("\09223372036854775808"), Some(Token::Whole("9223372036854775808")));
        assert_eq!((token("\0"), token("\u{0}12"), token("NaN")), (None, None, None));
    }

    #[test]
    fn tokens_become_null_and_texts_and_numbers_stay() {
        let text =
            r#"{"NaN \" NaN": NaN, "a": [-Infinity, Infinity, -1, 9223372036854775808], "é": "Infinity"}"#;
        let expected = r#"{"NaN \" NaN": null, "a": [null, null, -1, 9223372036854775808], "é": "Infinity"}"#;
        assert_eq!(without_tokens(text), expected);
        assert_eq!(without_tokens("\"open \\"), "\"open \\");
    }

    #[test]
    fn a_text_is_read_once_unless_its_tokens_are_refused() {
        let reads = std::cell::Cell::new(0);
        let read = |text: &str| {
            reads.set(reads.get() + 1);
            serde_json::from_str::<serde_json::Value>(text)
        };
        assert_eq!(read_past_tokens(r#"["NaN"]"#, read).unwrap(), serde_json::json!(["NaN"]));
        assert!(read_past_tokens("[", read).is_err());
        assert_eq!(reads.get(), 2);
        assert_eq!(read_past_tokens("[NaN, 1]", read).unwrap(), serde_json::json!([null, 1]));
        assert_eq!(reads.get(), 4);
    }
}
