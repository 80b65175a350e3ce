//! Cuts a text that an endpoint refuses as too long.

/// Bytes below which no text is too long for any model.
const SHORT: usize = 200;

/// Words by which endpoints say that a text is too long.
const SAID: [&str; 6] = ["token", "length", "too long", "context", "too large", "maximum"];

/// True if a refusal with this message may be about the length of `text`.
pub fn is_too_long(text: &str, status: u16, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    text.len() > SHORT && (status == 413 || SAID.iter().any(|word| message.contains(word)))
}

/// The first three quarters of a text.
pub fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len() / 4 * 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_ends_with_a_whole_character() {
        assert_eq!(shortened("abcd"), "abc");
        assert_eq!(shortened("éééé"), "ééé");
        assert_eq!(shortened("日本"), "日");
    }

    #[test]
    fn only_a_long_text_is_too_long() {
        let long = "x".repeat(1000);
        assert!(is_too_long(&long, 400, "This model's maximum context length is 8192 tokens"));
        assert!(is_too_long(&long, 413, ""));
        assert!(!is_too_long("", 400, "input must have a minimum length of 1"));
        assert!(!is_too_long(&long, 400, "refused by the filter"));
    }
}
