//! The tokens `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not know.

/// `text` with `null` in their place; texts within quotes stay.
pub fn without_tokens(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut place, mut from) = (0, 0);
    while place < bytes.len() {
        match bytes[place] {
            b'"' => place = end_of_text(bytes, place),
            b'N' | b'I' | b'-' => match token(&text[place..]) {
                Some(length) => {
                    out.push_str(&text[from..place]);
                    out.push_str("null");
                    place += length;
                    from = place;
                }
                None => place += 1,
            },
            _ => place += 1,
        }
    }
    out.push_str(&text[from..]);
    out
}

fn token(text: &str) -> Option<usize> {
    ["NaN", "Infinity", "-Infinity"].into_iter().find(|token| text.starts_with(token)).map(str::len)
}

/// The place behind the text that begins at `place`.
fn end_of_text(bytes: &[u8], mut place: usize) -> usize {
    place += 1;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' => place += 2,
            b'"' => return place + 1,
            _ => place += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::without_tokens;

    #[test]
    fn tokens_become_null_and_texts_stay() {
        let text = r#"{"NaN \" NaN": NaN, "a": [-Infinity, Infinity, -1], "é": "Infinity"}"#;
        assert_eq!(without_tokens(text), r#"{"NaN \" NaN": null, "a": [null, null, -1], "é": "Infinity"}"#);
        assert_eq!(without_tokens("\"open \\"), "\"open \\");
    }
}
