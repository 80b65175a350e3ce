//! The words or characters of a text.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use super::language::Units;

/// Calls `take` with each unit of `text` in its order.
pub(crate) fn units(text: &str, units: Units, mut take: impl FnMut(&str)) {
    match units {
        Units::Words => {
            // Runs of two characters and more, as scikit-learn's `(?u)\b\w\w+\b` finds them.
            let lower = text.to_lowercase();
            let runs = lower.split(|letter: char| !is_word(letter));
            runs.filter(|run| run.chars().nth(1).is_some()).for_each(take);
        }
        Units::Characters => {
            let normal: String = text.nfkc().collect();
            let mut buffer = [0; 4];
            let letters = normal.to_lowercase();
            letters
                .chars()
                .filter(|letter| *letter != ' ')
                .for_each(|letter| take(letter.encode_utf8(&mut buffer)));
        }
    }
}

/// Whether Python's `\w` takes `letter`: letters, numbers and the underscore, without combining marks.
fn is_word(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric() || letter == '_';
    }
    matches!(
        get_general_category(letter),
        GeneralCategory::UppercaseLetter
            | GeneralCategory::LowercaseLetter
            | GeneralCategory::TitlecaseLetter
            | GeneralCategory::ModifierLetter
            | GeneralCategory::OtherLetter
            | GeneralCategory::DecimalNumber
            | GeneralCategory::LetterNumber
            | GeneralCategory::OtherNumber
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, kind: Units) -> Vec<String> {
        let mut found = Vec::new();
        units(text, kind, |unit| found.push(unit.to_owned()));
        found
    }

    #[test]
    fn words_are_runs_of_two_letters_and_more() {
        assert_eq!(cut("Di a_b, x Ÿ-é2 l'eau!", Units::Words), ["di", "a_b", "é2", "eau"]);
        // A vowel sign is a mark, which parts words.
        assert_eq!(cut("हिन्दी", Units::Words), Vec::<String>::new());
    }

    #[test]
    fn characters_are_normal_lower_and_without_spaces() {
        assert_eq!(cut("Ａ ｶﾞ\n你", Units::Characters), ["a", "ガ", "\n", "你"]);
    }
}
