//! Documents, piece by piece: their ids, and their texts as they are encoded (protocol 3.1).

use std::iter::FusedIterator;

use mteb_data::{CellFault, DataError, Location, Table, Texts, all_cells};
use serde_json::Value;

use super::ids::{id_column, id_name};
use crate::Corpus;

/// Some documents in the order of the corpus.
pub(super) struct DocumentPiece {
    /// Their ids.
    pub ids: Texts,
    /// The column that holds them.
    pub id_column: &'static str,
    table: Table,
}

impl DocumentPiece {
    /// The texts of the documents at `rows`.
    pub fn texts(&self, rows: impl ExactSizeIterator<Item = usize>) -> Result<Texts, DataError> {
        document_texts(&self.table, rows)
    }

    /// Title, line break and text of every document, as they are; without a title the text behind a line break.
    pub fn raw_texts(&self) -> Result<Texts, DataError> {
        let bodies = self.table.texts("text")?;
        let titles = match self.table.get("title") {
            Some(_) => Some(self.table.texts("title")?),
            None => None,
        };
        let title = |row: usize| titles.as_ref().map_or("", |titles| &titles[row]);
        Ok((0..self.ids.len()).map(|row| format!("{}\n{}", title(row), &bodies[row])).collect())
    }

    /// Where the document at `row` was read from.
    pub fn at(&self, row: usize) -> Location {
        self.table.at(row)
    }
}

/// The documents of a corpus from the first one on; nothing comes after an error.
pub(super) struct DocumentPieces<'a> {
    tables: Box<dyn Iterator<Item = Result<Table, DataError>> + Send + 'a>,
    form: Option<Form>,
    is_damaged: bool,
}

/// What the first rows tell of all.
struct Form {
    id: &'static str,
    has_titles: bool,
    /// Where the first row is.
    first: Location,
}

impl<'a> DocumentPieces<'a> {
    /// The documents of `corpus`.
    pub fn new(corpus: &'a dyn Corpus) -> Self {
        Self { tables: corpus.open(), form: None, is_damaged: false }
    }

    fn read(&mut self, table: Table) -> Result<DocumentPiece, DataError> {
        let form = match &mut self.form {
            Some(form) => form,
            none => none.insert(Form {
                id: id_name(&table)?,
                has_titles: table.get("title").is_some(),
                first: table.at(0),
            }),
        };
        check_titles(form, &table)?;
        Ok(DocumentPiece { ids: id_column(&table, form.id)?, id_column: form.id, table })
    }
}

impl Iterator for DocumentPieces<'_> {
    type Item = Result<DocumentPiece, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_damaged {
            return None;
        }
        let piece = self.tables.next()?.and_then(|table| self.read(table));
        self.is_damaged = piece.is_err();
        Some(piece)
    }
}

impl FusedIterator for DocumentPieces<'_> {}

/// A title that all rows of a piece lack is a null title of these rows, if other pieces have titles.
fn check_titles(form: &Form, table: &Table) -> Result<(), DataError> {
    let lacks = |row: usize| Err(table.fault("title", row, TITLE, &Value::Null));
    match (form.has_titles, table.get("title").is_some()) {
        (true, false) => all_cells::<()>((0..table.rows()).map(lacks)).map(drop),
        (false, true) => Err(DataError::Cell(Box::new(CellFault {
            at: form.first.clone(),
            column: "title".to_owned(),
            expected: TITLE.to_owned(),
            found: "null".to_owned(),
            advice: String::new(),
            others: Vec::new(),
        }))),
        _ => Ok(()),
    }
}

/// The fault of the cells of a document with those that come after it in `corpus`, of which one piece knows nothing.
pub(super) fn in_all_pieces(error: DataError, corpus: &dyn Corpus) -> DataError {
    let DataError::Cell(_) = &error else { return error };
    let faults = corpus.open().map(|table| document_texts(&table?, 0..0).map(drop));
    all_cells(faults).err().unwrap_or(error)
}

/// What a title is, for messages.
const TITLE: &str = "a string, `\"\"` where there is no title";

fn in_words_of_titles(error: DataError) -> DataError {
    match error {
        DataError::Cell(mut fault) => {
            TITLE.clone_into(&mut fault.expected);
            DataError::Cell(fault)
        }
        other => other,
    }
}

/// Title, one space and text of each of `rows`, stripped; the stripped text alone where the title is empty.
fn document_texts(corpus: &Table, rows: impl ExactSizeIterator<Item = usize>) -> Result<Texts, DataError> {
    let bodies = corpus.texts("text")?;
    let titles = match corpus.get("title") {
        Some(_) => Some(corpus.texts("title").map_err(in_words_of_titles)?),
        None => None,
    };
    let mut texts = Texts::new();
    let mut joined = String::new();
    for row in rows {
        match titles.as_ref().map(|titles| &titles[row]).filter(|title| !title.is_empty()) {
            Some(title) => {
                joined.clear();
                joined.extend([title, " ", &bodies[row]]);
                texts.push(strip(&joined));
            }
            None => texts.push(strip(&bodies[row])),
        }
    }
    Ok(texts)
}

/// `text` without the whitespace at its ends, as Python sees whitespace: also U+001C to U+001F, which Rust keeps.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(|character: char| {
        character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
    })
}

#[cfg(test)]
mod tests {
    use mteb_data::Column;
    use serde_json::{Value, json};

    use super::*;

    fn table(titles: Option<Column>) -> Table {
        let bodies = Column::Text([" isi ", "\u{1f}isi", "isi\n", ""].into_iter().collect());
        let mut columns = vec![("text".to_owned(), bodies)];
        columns.extend(titles.map(|titles| ("title".to_owned(), titles)));
        Table::new("corpus.jsonl", columns).unwrap()
    }

    fn texts(table: &Table) -> Vec<String> {
        document_texts(table, 0..4).unwrap().iter().map(str::to_owned).collect()
    }

    #[test]
    fn the_title_comes_first_and_only_the_ends_are_stripped() {
        let titles = Column::Text([" Judul ", "", " ", "Judul"].into_iter().collect());
        assert_eq!(texts(&table(Some(titles))), ["Judul   isi", "isi", "isi", "Judul"]);
    }

    #[test]
    fn a_corpus_without_titles_is_its_texts() {
        assert_eq!(texts(&table(None)), ["isi", "isi", "isi", ""]);
    }

    #[test]
    fn a_null_title_is_an_error_with_its_place() {
        let titles = Column::Any(vec![json!("Judul"), Value::Null, json!(""), json!("")]);
        assert_eq!(
            document_texts(&table(Some(titles)), 0..4).unwrap_err().to_string(),
            "corpus.jsonl, row 2, column `title`: expected a string, `\"\"` where there is no title, found null"
        );
    }

    /// A corpus that is given in these pieces.
    struct Pieces(Vec<Table>);

    impl Corpus for Pieces {
        fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
            Box::new(self.0.iter().cloned().map(Ok))
        }
    }

    fn fault(pieces: [&str; 2]) -> String {
        let piece = |text: &&str| mteb_data::read_json_lines("corpus.jsonl", text.as_bytes()).unwrap();
        let corpus = Pieces(pieces.iter().map(piece).collect());
        let found: Result<Vec<_>, _> = DocumentPieces::new(&corpus).collect();
        found.map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn pieces_with_titles_and_pieces_without_do_not_go_together() {
        let (with, without) = (r#"{"_id": "a", "title": "t", "text": "x"}"#, r#"{"_id": "b", "text": "y"}"#);
        let expected = "corpus.jsonl, line 1, column `title`: expected a string, `\"\"` where there is no title, found null";
        assert_eq!(fault([with, without]), expected);
        assert_eq!(fault([without, with]), expected);
    }

    #[test]
    fn the_first_piece_decides_which_column_holds_the_ids() {
        assert_eq!(
            fault([r#"{"_id": "a", "text": "x"}"#, r#"{"id": "b", "text": "y"}"#]),
            "corpus.jsonl: no column `_id`; its columns are id, text; if `id` is meant, say so in the card: \
             `columns = { _id = \"id\" }`"
        );
    }

    #[test]
    fn every_character_that_python_calls_a_space_is_stripped() {
        let spaces: String = [0x09..=0x0d, 0x1c..=0x20, 0x85..=0x85, 0xa0..=0xa0, 0x1680..=0x1680]
            .into_iter()
            .chain([0x2000..=0x200a, 0x2028..=0x2029, 0x202f..=0x202f, 0x205f..=0x205f, 0x3000..=0x3000])
            .flatten()
            .filter_map(char::from_u32)
            .collect();
        assert_eq!(spaces.chars().count(), 29);
        assert_eq!(strip(&format!("{spaces}a{spaces}b{spaces}")), format!("a{spaces}b"));
    }

    #[test]
    fn a_zero_width_space_stays() {
        assert_eq!(strip("\u{200b} a\u{feff}"), "\u{200b} a\u{feff}");
    }
}
