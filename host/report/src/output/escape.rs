//! Names and texts of others in a document: one function a format, so that none of them can forge a part of it.

use crate::visible;

/// `text` as a cell of a Markdown table: it stands there as it is, in one line, as no link, no mark-up and no HTML.
pub fn markdown(text: &str) -> String {
    let text = visible(text).replace('\n', "\\u000a").replace('\t', "\\u0009");
    let mut out = String::with_capacity(text.len() + 8);
    for (place, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // What looks like an address or a name of a user becomes a link by itself.
            '@' => out.push_str("&#64;"),
            ':' if text[place..].starts_with("://") => out.push_str("&#58;"),
            '.' if text[..place].to_ascii_lowercase().ends_with("www") => out.push_str("&#46;"),
            '_' if is_within_word(&text, place) => out.push('_'),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
    out
}

/// Underscores between letters or digits are no emphasis.
fn is_within_word(text: &str, place: usize) -> bool {
    let before = text[..place].trim_end_matches('_').chars().next_back();
    let after = text[place..].trim_start_matches('_').chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_stay_as_they_are() {
        for name in ["mteb/baseline-random-encoder", "NusaX-senti", "a__b_c/d", "MTEB(eng, v1)", "模型 é"]
        {
            assert_eq!(markdown(name), name);
        }
    }

    #[test]
    fn a_name_forges_no_row_no_link_and_no_mark_up() {
        assert_eq!(markdown("x | 99 |\n| 1 | y"), "x \\| 99 \\|\\\\u000a\\| 1 \\| y");
        assert_eq!(markdown("<script>&amp;"), "&lt;script&gt;&amp;amp;");
        assert_eq!(markdown("[a](javascript:b)"), "\\[a\\](javascript:b)");
        assert_eq!(markdown("`c` *d* _e_ ~f~ $g$"), "\\`c\\` \\*d\\* \\_e\\_ \\~f\\~ \\$g\\$");
        assert_eq!(markdown("https://h www.i j@k.l"), "https&#58;//h www&#46;i j&#64;k.l");
        assert_eq!(markdown("m\u{202e}n\r\u{1b}"), "m\\\\u202en\\\\u000d\\\\u001b");
    }
}
