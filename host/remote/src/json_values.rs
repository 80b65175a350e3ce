//! Counts the values of a JSON text before it is parsed: two bytes of text may become a hundred of memory.

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
