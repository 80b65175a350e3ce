//! Characters that no reader sees: texts that hold nothing else, and texts without them.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Joins two signs into one, as woman and computer into a woman at a computer.
const JOINER: char = '\u{200d}';

/// True of a text that shows nothing: it is empty, or white space and invisible characters are all that it
/// holds.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || is_invisible(letter))
}

/// True of a text that is not empty and shows nothing all the same, so that whoever looks for it finds
/// nothing to remove.
pub fn is_only_invisible(text: &str) -> bool {
    is_blank(text) && !text.trim().is_empty()
}

/// A text in one form of its letters (NFC), without what nobody sees of it.
pub fn seen_text(text: &str) -> String {
    seen_letters(text.nfc())
}

/// `letters` without those that nobody sees. A joiner stays between two signs, which it makes one of; between letters it only
/// shapes them, and at an end it joins nothing.
pub(crate) fn seen_letters(letters: impl Iterator<Item = char>) -> String {
    let mut seen = String::new();
    let mut joins = false;
    for letter in letters.filter(|letter| !is_unseen(*letter)) {
        if letter == JOINER {
            joins = seen.chars().next_back().is_some_and(is_sign);
            continue;
        }
        if joins && is_sign(letter) {
            seen.push(JOINER);
        }
        joins = false;
        seen.push(letter);
    }
    seen
}

/// True of what is neither a letter with its marks, nor a digit, nor white space.
fn is_sign(letter: char) -> bool {
    !letter.is_alphanumeric() && !letter.is_whitespace() && !is_combining_mark(letter)
}

/// True of a character that is no white space and alone is drawn as nothing.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || is_unseen(letter)
        || matches!(letter, JOINER | '\u{2800}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// True of a character that changes nothing that is seen of a text, or chooses only how the sign before it
/// is drawn (`Default_Ignorable_Code_Point` of Unicode). Two kinds of these characters make other signs of
/// those beside them and are not meant: the joiner, and tags, which tell the flags of regions apart.
fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0080}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_anything_to_see_is_blank() {
        for text in
            ["", " \n\u{3000}", "\u{200b}", "\u{feff} \u{200e}", "\u{2800}", "\u{3164}", "\u{0}\u{1f}"]
        {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a", "\u{200b}.", "👍", "\u{301}", "\u{fffd}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn a_joiner_counts_between_signs_alone() {
        assert_eq!(seen_text("👩\u{200d}💻"), "👩\u{200d}💻");
        assert_eq!(seen_text("👩\u{1f3fd}\u{200d}\u{200d}💻"), "👩\u{1f3fd}\u{200d}💻");
        assert_eq!(seen_text("\u{200d}👩\u{200d} 💻\u{200d}"), "👩 💻");
        assert_eq!(seen_text("می\u{200c}خواهم क्\u{200d}ष"), "میخواهم क्ष");
    }

    #[test]
    fn how_a_sign_is_drawn_does_not_count_and_the_flag_of_a_region_does() {
        assert_eq!(seen_text("\u{263a}\u{fe0f} \u{2764}\u{fe0e}"), "\u{263a} \u{2764}");
        assert_eq!(seen_text("\u{2764}\u{fe0f}\u{200d}🔥"), "\u{2764}\u{200d}🔥");
        let wales = "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}";
        assert_eq!(seen_text(wales), wales);
    }

    #[test]
    fn white_space_is_no_invisible_character() {
        assert!(is_only_invisible("\u{200b}") && is_only_invisible(" \u{200d}\u{fe0f}"));
        assert!(!is_only_invisible("") && !is_only_invisible(" \t\u{a0}") && !is_only_invisible("a\u{200b}"));
    }
}
