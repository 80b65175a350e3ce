//! Notes on empty texts and documents, which are scored as they are, and by which words other checks
//! know such a note.

use mteb_card::TaskType;
use mteb_data::{Column, Location, Table};

use crate::{Part, Unit, is_blank, is_only_invisible, text_columns};

/// How the notes on empty texts and on empty documents begin.
const BEGINS: [&str; 2] = ["empty texts in `", "empty documents, "];

/// A note for each column of texts of `unit` that has empty ones, with the place of the first. A
/// corpus, which may be larger than memory, is left aside.
pub fn empty_texts(task_type: TaskType, unit: &Unit) -> Vec<String> {
    let parts = Part::ALL.iter().filter(|part| **part != Part::Corpus);
    let columns =
        parts.flat_map(|part| text_columns(task_type, *part).iter().map(move |name| (*part, *name)));
    columns.filter_map(|(part, name)| note(unit.get(part)?, name)).collect()
}

/// True of a note on empty texts or documents. Where a card declares its quality, each is a fault, and
/// the note would say it again.
pub fn is_of_empty_texts(note: &str) -> bool {
    BEGINS.iter().any(|begin| note.starts_with(begin))
}

fn note(table: &Table, name: &str) -> Option<String> {
    let Some(Column::Text(texts)) = table.get(name) else { return None };
    let empty = || texts.iter().enumerate().filter(|(_, text)| is_blank(text));
    let (first, _) = empty().next()?;
    let place = table.location(first);
    let begin = format!("{}{name}`", BEGINS[0]);
    let invisible = invisible_clause(empty().filter(|(_, text)| is_only_invisible(text)).count());
    Some(format!(
        "{begin}, which are scored as they are: {} of {}, the first in {place}{invisible}",
        empty().count(),
        table.rows()
    ))
}

/// The note on `count` of `rows` documents that have neither title nor text, the first of them at `first`;
/// `invisible` of them hold characters that nobody sees.
pub(crate) fn empty_documents_note(count: usize, invisible: usize, rows: usize, first: &Location) -> String {
    format!(
        "{}which are scored as they are: {count} of {rows}, the first in {first}{}",
        BEGINS[1],
        invisible_clause(invisible)
    )
}

/// Why texts are empty that are not to a program; nothing if there is none.
fn invisible_clause(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "; 1 of them holds only invisible characters".to_owned(),
        _ => format!("; {count} of them hold only invisible characters"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_data::read_json_lines;

    use super::*;

    fn notes(rows: &str) -> Vec<String> {
        let table = read_json_lines("f.jsonl", rows.as_bytes()).unwrap();
        let unit = Unit::new(["T", "test", "default"], BTreeMap::from([(Part::Rows, table)]));
        empty_texts(TaskType::Classification, &unit)
    }

    #[test]
    fn empty_texts_are_counted_with_the_place_of_the_first() {
        assert_eq!(
            notes("{\"text\": \"a\"}\n{\"text\": \" \"}\n{\"text\": \"\"}\n"),
            ["empty texts in `text`, which are scored as they are: 2 of 3, the first in f.jsonl, line 2"]
        );
        assert!(notes("{\"text\": \"a\"}\n").is_empty());
    }

    #[test]
    fn a_text_that_shows_nothing_is_empty_and_the_note_says_why() {
        let of_zero_width = "{\"text\": \"a\"}\n{\"text\": \"\u{200b}\"}\n";
        let said = notes(of_zero_width).concat();
        assert!(
            said.ends_with("1 of 2, the first in f.jsonl, line 2; 1 of them holds only invisible characters"),
            "{said}"
        );
    }

    #[test]
    fn notes_on_empty_texts_and_documents_are_known_by_their_words() {
        let first = read_json_lines("f.jsonl", b"{\"text\": \"\"}\n").unwrap().at(0);
        assert!(is_of_empty_texts(&empty_documents_note(1, 0, 2, &first)));
        assert!(notes("{\"text\": \"\"}\n").iter().all(|note| is_of_empty_texts(note)));
        assert!(!is_of_empty_texts("ids of documents that are empty and are used as mteb uses them: 1"));
    }
}
