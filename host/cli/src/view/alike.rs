//! Texts on units that differ in nothing but the names of their own splits and subsets: they say the same of each.

use std::collections::HashSet;

/// What stands for a name; no message holds it.
const MARK: char = '\0';

/// `text` with a mark in place of each of the `names` of splits and subsets.
pub fn without_names(text: &str, names: &HashSet<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text, |letter| letter.is_alphanumeric() || letter == '-' || letter == '_') {
        if names.contains(word) {
            out.push(MARK);
            continue;
        }
        // `ind-corpus` holds the name of a subset, too.
        for piece in words(word, char::is_alphanumeric) {
            if names.contains(piece) { out.push(MARK) } else { out.push_str(piece) }
        }
    }
    out
}

/// The words of `text` and what stands between them.
fn words(text: &str, is_of_word: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = is_of_word(rest.chars().next()?);
        let end = rest.find(|letter| is_of_word(letter) != is_word).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_by_their_own_names_are_alike() {
        let names = HashSet::from(["ind", "jav", "ind-eng"]);
        let of = |text: &str| without_names(text, &names);
        assert_eq!(of("data/ind/test.csv: no column `a`"), of("data/jav/test.csv: no column `a`"));
        assert_eq!(
            of("found ind.csv, jav.csv; move `ind.csv`"),
            of("found ind.csv, jav.csv; move `jav.csv`")
        );
        assert_eq!(of("ind-corpus, ind-eng"), "\0-corpus, \0");
        assert_eq!(of("indeed, line 3"), "indeed, line 3");
        assert_ne!(of("data/ind/test.csv, line 3"), of("data/jav/test.csv, line 4"));
    }
}
