//! Ids in a form where blanks part columns.

use std::fmt::Write;

/// `id` without blanks and control characters: these, and the sign `%`, are written as `%` and two hexadecimal digits a byte
/// of UTF-8; an empty id as `%`.
pub fn escape(id: &str, out: &mut String) {
    if id.is_empty() {
        out.push('%');
    }
    for letter in id.chars() {
        if letter == '%' || letter.is_whitespace() || letter.is_control() {
            let mut buffer = [0; 4];
            for byte in letter.encode_utf8(&mut buffer).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(letter);
        }
    }
}

/// The id that [`escape`] wrote as `text`; `None` if it wrote no such text.
pub fn unescape(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn escaped(id: &str) -> String {
        let mut out = String::new();
        escape(id, &mut out);
        out
    }

    #[test]
    fn blanks_and_the_sign_itself_are_escaped_and_nothing_else() {
        assert_eq!(escaped("a b\u{a0}100%\n"), "a%20b%C2%A0100%25%0A");
        assert_eq!(escaped("doc-1/ä:7"), "doc-1/ä:7");
    }

    proptest! {
        #[test]
        fn every_id_comes_back(id in ".*") {
            let text = escaped(&id);
            prop_assert!(!text.is_empty() && !text.contains(char::is_whitespace));
            prop_assert_eq!(unescape(&text), Some(id));
        }
    }
}
