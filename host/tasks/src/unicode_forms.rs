//! Texts that are compared with each other and are written in different Unicode forms: `é` may be one character or two, and what
//! looks the same is not the same to a model or to a search by words.

use mteb_base::counted::count;
use mteb_card::TaskType;
use mteb_data::{Column, Table};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfd};

use crate::unit::first_rows;
use crate::{Corpus, Part, Unit, text_columns};

/// How the letters of a text are written; of most texts it makes no difference.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Composed,
    Decomposed,
    Neither,
}

const FORMS: [(Form, &str); 3] =
    [(Form::Composed, "NFC"), (Form::Decomposed, "NFD"), (Form::Neither, "neither NFC nor NFD")];

/// The texts of a column that have a form.
struct Forms {
    /// What messages call it.
    title: String,
    counts: [usize; 3],
    /// Where the first of each form is.
    firsts: [Option<String>; 3],
}

/// A note on each column of texts of `unit` some of which are in another form than most of the texts that they are compared with:
/// queries with documents, the second sentence with the first, training rows with the rows to predict; and of the texts of one column
/// with each other.
pub fn unicode_forms(task_type: TaskType, unit: &Unit, corpus: Option<&dyn Corpus>) -> Vec<String> {
    let mut documents = Forms::new(Part::Corpus.as_str().to_owned());
    for table in corpus.into_iter().flat_map(first_rows) {
        ["title", "text"].iter().for_each(|name| documents.add(&table, name));
    }
    let parts = [Part::Rows, Part::Train, Part::Queries, Part::Instruction];
    let columns = parts.into_iter().flat_map(|part| {
        let names = text_columns(task_type, part).iter();
        names.filter_map(move |name| {
            let table = unit.get(part)?;
            let title = match part {
                Part::Rows => format!("`{name}`"),
                Part::Train => format!("`{name}` of the training rows"),
                other => other.as_str().to_owned(),
            };
            let mut forms = Forms::new(title);
            forms.add(table, name);
            Some(forms)
        })
    });
    let mut columns: Vec<Forms> = std::iter::once(documents).chain(columns).collect();
    let Some(first) = columns.iter().position(|forms| forms.most().is_some()) else { return Vec::new() };
    let others = columns.split_off(first + 1);
    let of = &columns[first];
    let Some(usual) = of.most() else { return Vec::new() };
    let mixed = of.note(usual, of);
    mixed.into_iter().chain(others.iter().filter_map(|forms| forms.note(usual, of))).collect()
}

impl Forms {
    fn new(title: String) -> Self {
        Self { title, counts: [0; 3], firsts: [const { None }; 3] }
    }

    fn add(&mut self, table: &Table, name: &str) {
        let Some(Column::Text(texts)) = table.get(name) else { return };
        for (row, text) in texts.iter().enumerate() {
            let Some(form) = form_of(text) else { continue };
            let place = form as usize;
            self.counts[place] += 1;
            self.firsts[place].get_or_insert_with(|| table.location(row).to_string());
        }
    }

    /// The form of most texts; `None` if none has one.
    fn most(&self) -> Option<Form> {
        let (form, _) = FORMS.into_iter().max_by_key(|(form, _)| self.counts[*form as usize])?;
        (self.counts[form as usize] > 0).then_some(form)
    }

    /// What there is to say where most of the texts `of` another column are in the form `usual`.
    fn note(&self, usual: Form, of: &Self) -> Option<String> {
        let other = |form: &Form| *form != usual && self.counts[*form as usize] > 0;
        let (form, name) = FORMS
            .into_iter()
            .filter(|(form, _)| other(form))
            .max_by_key(|(form, _)| self.counts[*form as usize])?;
        let (all, usual) = (self.counts.iter().sum::<usize>(), FORMS[usual as usize].1);
        let number = self.counts[form as usize];
        let texts = count(all, "text");
        let are = if number == 1 { "is" } else { "are" };
        let first = self.firsts[form as usize].as_deref().unwrap_or_default();
        if self.title == of.title {
            return Some(format!(
                "letters of {} are written in several Unicode forms: {number} of {texts} with such letters {are} in {name}, not \
                 {usual}, the first in {first}; a model or a search sees the same words as different ones; write all in one form",
                self.title
            ));
        }
        Some(format!(
            "letters of {} are written in another Unicode form than those of {}: {number} of {texts} with \
             such letters {are} in {name}, not {usual}, the first in {first}; a model or a search sees the same \
             words as different ones; write all in one form",
            self.title, of.title
        ))
    }
}

/// A text without the marks of its letters, as `Đánh giá` becomes `Danh gia`.
pub fn without_marks(text: &str) -> String {
    let plain = |letter| match letter {
        'đ' => 'd',
        'Đ' => 'D',
        'ø' => 'o',
        'Ø' => 'O',
        'ł' => 'l',
        'Ł' => 'L',
        'ı' => 'i',
        other => other,
    };
    text.nfd().filter(|letter| !is_combining_mark(*letter)).map(plain).collect()
}

/// The form of a text; `None` if it is the same in both.
fn form_of(text: &str) -> Option<Form> {
    if text.is_ascii() {
        return None;
    }
    match (is_nfc(text), is_nfd(text)) {
        (true, true) => None,
        (true, false) => Some(Form::Composed),
        (false, true) => Some(Form::Decomposed),
        (false, false) => Some(Form::Neither),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn table(name: &str, texts: &[&str]) -> Table {
        Table::new("file", vec![(name.to_owned(), Column::Text(texts.iter().copied().collect()))]).unwrap()
    }

    fn notes(documents: &[&str], queries: &[&str]) -> Vec<String> {
        let parts = BTreeMap::from([(Part::Queries, table("text", queries))]);
        let unit = Unit::new(["T", "test", "default"], parts);
        unicode_forms(TaskType::Retrieval, &unit, Some(&table("text", documents)))
    }

    #[test]
    fn queries_in_another_form_than_the_documents_are_named() {
        let found = notes(&["café", "the", "naïve"], &["cafe", "cafe\u{301}"]);
        assert_eq!(found.len(), 1);
        let expected = "letters of queries are written in another Unicode form than those of corpus: 1 of 1 text with such letters is in \
                        NFD, not NFC, the first in file";
        assert!(found[0].starts_with(expected), "{}", found[0]);
        assert!(notes(&["cafe\u{301}"], &["café"])[0].contains("in NFC, not NFD"));
    }

    #[test]
    fn texts_in_one_form_and_those_without_any_say_nothing() {
        assert!(notes(&["café"], &["thé", "tea"]).is_empty());
        assert!(notes(&["tea"], &["the\u{301}"]).is_empty(), "no document has a form");
        assert!(notes(&["日本"], &["ไทย"]).is_empty());
    }

    #[test]
    fn texts_of_one_column_in_several_forms_are_named() {
        let found = notes(&["café", "naïve", "the\u{301}"], &["tea"]);
        assert_eq!(found.len(), 1);
        let expected = "letters of corpus are written in several Unicode forms: 1 of 3 texts with such letters is in NFD, not NFC, the \
                        first in file";
        assert!(found[0].starts_with(expected), "{}", found[0]);
    }

    #[test]
    fn the_sides_of_pairs_are_compared() {
        let texts = |text: &str| Column::Text([text].into_iter().collect());
        let rows = Table::new(
            "file",
            vec![("sentence1".to_owned(), texts("café")), ("sentence2".to_owned(), texts("cafe\u{301}"))],
        );
        let unit = Unit::new(["T", "test", "default"], BTreeMap::from([(Part::Rows, rows.unwrap())]));
        let found = unicode_forms(TaskType::Sts, &unit, None);
        assert!(
            found[0].starts_with(
                "letters of `sentence2` are written in another Unicode form than those of `sentence1`"
            ),
            "{found:?}"
        );
    }
}
