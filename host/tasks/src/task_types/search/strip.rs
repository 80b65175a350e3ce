//! Python's `str.strip`.

/// `text` without the whitespace at its ends, as Python sees whitespace: also U+001C to U+001F, which Rust keeps.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(|character: char| {
        character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_python_calls_a_space_is_stripped() {
        let spaces: String = [0x09..=0x0d, 0x1c..=0x20, 0x85..=0x85, 0xa0..=0xa0, 0x1680..=0x1680]
            .into_iter()
            .chain([0x2000..=0x200a, 0x2028..=0x2029, 0x202f..=0x202f, 0x205f..=0x205f, 0x3000..=0x3000])
            .flatten()
            .filter_map(char::from_u32)
            .collect();
        assert_eq!(spaces.chars().count(), 29);
        assert_eq!(strip(&format!("{spaces}a{spaces}b{spaces}")), format!("a{spaces}b"));
    }

    #[test]
    fn a_zero_width_space_stays() {
        assert_eq!(strip("\u{200b} a\u{feff}"), "\u{200b} a\u{feff}");
    }
}
