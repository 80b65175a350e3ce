//! Training texts that are also evaluation texts: a model is then asked what it was trained on.

use std::borrow::Cow;
use std::collections::HashMap;

use mteb_base::counted::count;
use mteb_card::TaskCard;
use mteb_data::{Column, Table};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::invisible::seen_letters;
use crate::{Part, Unit, facts, is_blank};

/// A note on the training texts of `unit` that are among its evaluation texts, with the place of the first; `None` if there are none,
/// or if the training split itself is evaluated.
pub fn training_texts(card: &TaskCard, unit: &Unit) -> Option<String> {
    let (rows, train) = (unit.get(Part::Rows)?, unit.get(Part::Train)?);
    let training_split = card.dataset.training_split();
    if unit.split == training_split {
        return None;
    }
    let mut tested: HashMap<String, usize> = HashMap::new();
    for (row, text) in texts(card, rows) {
        tested.entry(normalised(text)).or_insert(row);
    }
    tested.remove("");
    let mut found =
        texts(card, train).filter_map(|(row, text)| Some((*tested.get(&normalised(text))?, row, text)));
    let (row, other, text) = found.next()?;
    let what = count(1 + found.count(), "training text");
    let twin = texts(card, rows).find(|(at, found)| *at == row && normalised(found) == normalised(text));
    let same = match twin {
        Some((_, twin)) if twin != text => format!("{} and {}", beginning(twin), beginning(text)),
        _ => beginning(text),
    };
    Some(format!(
        "{what} among the evaluation texts, the first in {} row {} and {training_split} row {}: the same text: {same}",
        unit.split,
        rows.place(row).1,
        train.place(other).1
    ))
}

/// The texts of a table of rows, each with its row.
fn texts<'a>(card: &TaskCard, table: &'a Table) -> impl Iterator<Item = (usize, &'a str)> {
    let columns = facts(card.task_type).text_columns.iter().filter_map(|name| match table.get(name) {
        Some(Column::Text(texts)) => Some(texts),
        _ => None,
    });
    columns.flat_map(|texts| texts.iter().enumerate())
}

/// A text as it is compared: in one form of its letters (NFC), lower case, words of letters and digits parted by one space. Marks of
/// letters, such as the tones of Thai, belong to them; characters that nobody sees do not count. A text without a letter or digit,
/// such as one of emoji, is compared by all that is seen of it: joined signs are another text than the same signs side by side, and
/// how a sign is drawn makes no other text.
pub fn normalised(text: &str) -> String {
    let letters = text.nfc().flat_map(char::to_lowercase);
    // Greek has two small letters for one capital: one of them ends words.
    let lower = seen_letters(letters.map(|letter| if letter == 'ς' { 'σ' } else { letter }));
    // Marks alone are no word.
    if !lower.contains(char::is_alphanumeric) {
        if is_blank(&lower) {
            return String::new();
        }
        return lower.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    lower
        .split(|letter: char| !letter.is_alphanumeric() && !is_combining_mark(letter))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A text in one form of its letters (NFC): `é` may be one character or two.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The beginning of a text in quotation marks, for messages.
pub fn beginning(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("“{}…”", text[..end].trim_end()),
        None => format!("“{text}”"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn note(tested: &[&str], train: &[&str], split: &str) -> Option<String> {
        let card = "schema = 1\nname = \"T\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"a\"\n";
        let table = |texts: &[&str]| {
            let column = Column::Text(texts.iter().copied().collect());
            Table::new("a.csv", vec![("text".to_owned(), column)]).unwrap()
        };
        let parts = BTreeMap::from([(Part::Rows, table(tested)), (Part::Train, table(train))]);
        let card = TaskCard::from_toml(card).unwrap();
        training_texts(&card, &Unit::of(&card, split, "default", parts))
    }

    #[test]
    fn texts_that_are_learned_and_asked_are_counted() {
        assert_eq!(note(&["satu", "dua"], &["tiga", "", "!"], "test"), None);
        assert_eq!(
            note(&["satu", "Dua kali!", ""], &["tiga", "dua kali", "satu", ""], "test").unwrap(),
            "2 training texts among the evaluation texts, the first in test row 2 and train row 2: the same text: “Dua kali!” and \
             “dua kali”"
        );
        // One letter with its mark, or two characters.
        assert_eq!(
            note(&["Hu\u{1ebf}, kopi"], &["hu\u{65}\u{302}\u{301} kopi"], "test").unwrap(),
            "1 training text among the evaluation texts, the first in test row 1 and train row 1: the same text: “Hu\u{1ebf}, kopi” and \
             “hu\u{65}\u{302}\u{301} kopi”"
        );
        assert_eq!(note(&["satu"], &["satu"], "train"), None, "the split itself is evaluated");
    }

    #[test]
    fn marks_of_letters_make_other_words_and_unseen_characters_do_not() {
        assert_eq!(normalised("ไก่, ไข่!"), "ไก่ ไข่");
        assert_ne!(normalised("ไก่"), normalised("ไก"));
        assert_eq!(normalised("हिन्दी"), "हिन्दी");
        assert_eq!(normalised("ดี\u{200b}มาก so\u{ad}zial"), "ดีมาก sozial");
        assert_eq!(normalised("cafe\u{301}"), normalised("CAF\u{c9}"));
        assert_eq!(normalised("Ο ΦΙΛΟΣ"), normalised("ο φιλος"));
    }

    #[test]
    fn texts_without_words_are_compared_by_what_is_seen() {
        assert_eq!(normalised(" 👍\u{200b}  !! "), "👍 !!");
        assert_ne!(normalised("\u{2764}\u{fe0f}"), normalised("\u{2600}\u{fe0f}"), "one mark, two signs");
        assert_eq!(normalised(" \u{feff}"), "");
        assert_eq!(normalised("\u{2800}\u{e007f}"), "", "nothing is seen of it");
        assert_eq!(normalised("\u{263a}"), normalised("\u{263a}\u{fe0f}"), "two ways to draw one sign");
        assert_eq!(normalised("ok \u{263a}\u{fe0f}"), normalised("ok \u{263a}"));
        assert_ne!(normalised("👩\u{200d}💻"), normalised("👩💻"), "one sign, two signs");
        assert_eq!(normalised("👍 Bagus!"), "bagus");
        assert!(note(&["satu", "👍"], &["👍 "], "test").unwrap().starts_with("1 training text among"));
    }
}
