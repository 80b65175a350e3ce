//! Texts cut into words.

/// A word as it is written.
pub type Word<'a> = &'a str;

/// The words of a text: runs of letters, digits and marks inside them, as in `orang-orang`, `19.000` and `don't`.
pub fn words(text: &str) -> Vec<Word<'_>> {
    text.split(|letter: char| !(letter.is_alphanumeric() || is_joint(letter)))
        .map(|word| word.trim_matches(is_joint))
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_joint(letter: char) -> bool {
    matches!(letter, '-' | '\'' | '’' | '.' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_inside_words_belong_to_them() {
        let text = "Orang-orang bilang, harganya Rp19.000 (naik!) ... don't";
        assert_eq!(words(text), ["Orang-orang", "bilang", "harganya", "Rp19.000", "naik", "don't"]);
    }
}
