//! The message for a text without quotes in TOML, where the TOML parser would explain the form of
//! numbers.

/// What is said of the word at the byte `at` of `text`, where a value without quotes begins or goes on; `None` if none does.
pub fn without_quotes(text: &str, at: usize) -> Option<String> {
    let at = text.floor_char_boundary(at);
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next()?;
    let column = at - begin;
    let value = line.get(..column)?.rfind(['=', ',', '[', '{'])? + 1;
    let rest = line[value..].trim_start();
    let offset = line.len() - rest.len();
    let word = rest.split([',', ']', '}', '#', '=', '"', '\'']).next()?.trim_end();
    let is_at = (offset..=offset + word.len()).contains(&column);
    let is_key = rest[word.len()..].trim_start().starts_with('=');
    if !is_at
        || is_key
        || !word.starts_with(char::is_alphabetic)
        || matches!(word, "true" | "false" | "inf" | "nan")
    {
        return None;
    }
    // A password or a key may stand there by mistake.
    let is_secret = ["url", "key_env"].iter().any(|key| line.trim_start().starts_with(key));
    if is_secret || word.contains('@') {
        return Some("expected a string in quotes, found one without; it is not shown here".to_owned());
    }
    Some(match word.to_lowercase().as_str() {
        small @ ("true" | "false") => format!("expected `{small}` in small letters, found: {word}"),
        _ => format!("expected a string in quotes, `\"{word}\"`, found one without: {word}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<String> {
        let error = toml::from_str::<toml::Table>(text).unwrap_err();
        without_quotes(text, error.span().unwrap().start)
    }

    #[test]
    fn a_password_or_key_without_quotes_is_not_shown() {
        for text in ["url = https", "a = me:hunter2@host", "key_env = hunter2"] {
            let said = said(text).unwrap();
            assert!(said.ends_with("it is not shown here"), "{text}: {said}");
        }
    }

    #[test]
    fn a_word_without_quotes_is_shown_with_them() {
        for text in [
            "a = 1\nlanguages = ind-Latn # a\nb = 2",
            "languages = [ind-Latn]",
            "a = { languages = ind-Latn }",
        ] {
            let found = said(text).unwrap();
            assert_eq!(
                found, "expected a string in quotes, `\"ind-Latn\"`, found one without: ind-Latn",
                "{text}"
            );
        }
        assert_eq!(said("a = False").unwrap(), "expected `false` in small letters, found: False");
    }

    #[test]
    fn other_faults_are_none_of_quotes() {
        for text in [
            "a = 1\na = 2",
            "a = \"b",
            "a b = 1",
            "a = 1.2.3",
            "a = [1 2]",
            "a = true b = 2",
            "a = [\n1\nb = 2",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
