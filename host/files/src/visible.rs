//! Characters that would steer a terminal, or that nobody would see, are shown as text.

use std::borrow::Cow;

/// The text with such characters as JSON writes them (`\u001b`): what comes from data must not steer a terminal, nor make
/// two names look the same.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Most text is plain ASCII, and an answer has millions of characters: only the others are looked at.
    let mut others = text.bytes().enumerate().filter(|(_, byte)| !is_plain(*byte) && !is_continuation(*byte));
    let is_hidden_at =
        |place: usize| text[place..].chars().next().is_some_and(|other| is_hidden(other, text, place));
    if !others.any(|(place, _)| is_hidden_at(place)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (place, character) in text.char_indices() {
        if is_hidden(character, text, place) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                shown += &format!("\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The same for what is one line, or one cell of a table: a line end in a name must not pass for one of ours, nor a tabulator for the
/// begin of the next column.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        shown if shown.contains(['\n', '\t']) => Cow::Owned(shown.replace('\n', "\\n").replace('\t', "\\t")),
        shown => shown,
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// True of the second and later bytes of a character.
fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn is_hidden(character: char, text: &str, place: usize) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{200c}' | '\u{200d}' => !joins(text, place),
        // These choose the shape of a picture or of a letter that is drawn in several.
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            text[..place].chars().next_back().is_none_or(|before| before.is_ascii_alphabetic())
        }
        _ => character.is_control() || is_format(character),
    }
}

/// A joiner belongs to its text between letters of a script that joins (from Hebrew on), and between pictures.
fn joins(text: &str, place: usize) -> bool {
    let is_joining = |character: Option<char>| character.is_some_and(|character| character >= '\u{590}');
    let after = text[place..].chars().nth(1);
    is_joining(text[..place].chars().next_back()) && is_joining(after)
}

/// Format characters that have no shape of their own: soft hyphen, zero width, line and paragraph separators, marks of
/// direction, marks within music and shorthand, annotations and tags (Unicode, general category Cf, Zl and Zp), and letters that are
/// drawn as nothing (`Default_Ignorable_Code_Point`, and the empty pattern of Braille).
fn is_format(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_sequence_is_shown_and_other_text_is_left_alone() {
        assert_eq!(visible("a\u{1b}[2J\u{9b}b\u{202e}"), "a\\u001b[2J\\u009bb\\u202e");
        let plain = "line\n\tشكرا caf\u{e9} 👩";
        assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
    }

    #[test]
    fn a_line_end_in_one_line_is_shown() {
        assert_eq!(visible_line("a\nwarning: all is well\r"), "a\\nwarning: all is well\\u000d");
        assert_eq!(visible("a\nb\tc"), "a\nb\tc");
        assert_eq!(visible_line("a\tb"), "a\\tb");
    }

    #[test]
    fn marks_of_direction_zero_width_separators_and_tags_are_shown() {
        let hidden = "\u{200e}\u{200f}\u{61c}\u{200b}\u{2028}\u{2029}\u{2066}\u{feff}\u{ad}\u{2060}";
        assert_eq!(visible(hidden), "\\u200e\\u200f\\u061c\\u200b\\u2028\\u2029\\u2066\\ufeff\\u00ad\\u2060");
        // JSON writes what is beyond 16 bits as two units.
        assert_eq!(visible("a\u{e0041}"), "a\\udb40\\udc41");
    }

    #[test]
    fn letters_that_are_drawn_as_nothing_are_shown_and_shapes_of_pictures_stay() {
        assert_eq!(visible("a\u{3164}b\u{115f}\u{2800}\u{34f}"), "a\\u3164b\\u115f\\u2800\\u034f");
        assert_eq!(visible("hash\u{fe0f}ing\u{e0100}"), "hash\\ufe0fing\\udb40\\udd00");
        let shaped = "❤\u{fe0f} 1\u{fe0f}\u{20e3} 葛\u{e0100}";
        assert_eq!(visible(shaped), shaped);
    }

    #[test]
    fn a_joiner_stays_where_its_script_joins_and_is_shown_between_latin_letters() {
        let persian_and_family = "می\u{200c}خواهم 👩\u{200d}👧";
        assert_eq!(visible(persian_and_family), persian_and_family);
        assert_eq!(visible("hash\u{200d}ing\u{200c}"), "hash\\u200ding\\u200c");
    }
}
