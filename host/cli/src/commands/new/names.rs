//! One name in the forms that files, code and cards need.

use mteb_tasks::without_marks;

/// A name in several forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// As it was given.
    pub given: String,
    /// `my-model`
    pub kebab: String,
    /// `my_model`
    pub snake: String,
    /// `MyModel`
    pub pascal: String,
}

/// A name that files, code and cards cannot have.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected a name of at most 60 letters a to z, digits, `-` and `_` that begins with a letter, found `{given}`{}",
    .near.as_ref().map_or_else(String::new, |near| format!("; for example `{near}`"))
)]
pub struct NameError {
    given: String,
    /// The same without what a name may not have, if that is one.
    near: Option<String>,
}

/// Reads a name: letters, digits, `-` and `_`, with a letter at its beginning.
///
/// # Errors
/// What was expected.
pub fn read_name(given: &str) -> Result<Names, NameError> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let begins = given.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !begins || !given.chars().all(is_part) || given.len() > 60 {
        let plain = plain_letters(given);
        let near = (plain != given).then(|| read_name(&plain).ok()).flatten();
        return Err(NameError { given: given.to_owned(), near: near.map(|near| near.pascal) });
    }
    let words = words(given);
    let capital = |word: &String| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    Ok(Names {
        given: given.to_owned(),
        kebab: words.join("-"),
        snake: words.join("_"),
        pascal: words.iter().map(capital).collect(),
    })
}

/// The name without marks on its letters, and with `-` for what is neither letter nor digit.
fn plain_letters(given: &str) -> String {
    let plain: String = without_marks(given)
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' })
        .collect();
    plain.trim_matches('-').to_owned()
}

/// The words of a name in lower case, which end at `-`, `_` and before a capital behind a small letter: `MySTS` is `my` and `sts`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && was_small;
        if (begins || !letter.is_ascii_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
            word.push(letter.to_ascii_lowercase());
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::read_name;

    #[test]
    fn a_name_has_a_form_for_files_for_code_and_for_cards() {
        let of = |given: &str| read_name(given).map(|names| [names.kebab, names.snake, names.pascal]);
        assert_eq!(of("MySTS").unwrap(), ["my-sts", "my_sts", "MySts"]);
        assert_eq!(of("letter-counts_2").unwrap(), ["letter-counts-2", "letter_counts_2", "LetterCounts2"]);
        let said = read_name("Đánh giá").unwrap_err().to_string();
        assert!(said.ends_with("found `Đánh giá`; for example `DanhGia`"), "{said}");
        assert!(!read_name("ไทย").unwrap_err().to_string().contains("for example"));
        assert!(of("2nd").is_err() && of("a/b").is_err() && of("").is_err() && of("../x").is_err());
    }
}
