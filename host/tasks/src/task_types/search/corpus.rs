//! Documents, piece by piece: their ids, and their texts as they are encoded (protocol 3.1).

use std::borrow::Cow;
use std::iter::FusedIterator;

use mteb_data::{DataError, Location, Table, Texts, all_cells};

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
        let (bodies, titles) = (self.table.texts("text")?, titles(&self.table)?);
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
    /// The column with ids, as the first rows tell it.
    id: Option<&'static str>,
    is_damaged: bool,
}

impl<'a> DocumentPieces<'a> {
    /// The documents of `corpus`.
    pub fn new(corpus: &'a dyn Corpus) -> Self {
        Self { tables: corpus.open(), id: None, is_damaged: false }
    }

    fn read(&mut self, table: Table) -> Result<DocumentPiece, DataError> {
        let id = match &mut self.id {
            Some(id) => id,
            none => none.insert(id_name(&table)?),
        };
        Ok(DocumentPiece { ids: id_column(&table, id)?, id_column: id, table })
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

/// The fault of the cells of a document with those that come after it in `corpus`, of which one piece knows nothing.
pub(super) fn in_all_pieces(error: DataError, corpus: &dyn Corpus) -> DataError {
    let DataError::Cell(_) = &error else { return error };
    let faults = corpus.open().map(|table| document_texts(&table?, 0..0).map(drop));
    all_cells(faults).err().unwrap_or(error)
}

/// The titles of documents, of which null is none; `None` where no document has one.
fn titles(corpus: &Table) -> Result<Option<Cow<'_, Texts>>, DataError> {
    corpus.get("title").map(|_| corpus.texts_or_empty("title")).transpose()
}

/// Title, one space and text of each of `rows`, stripped; the stripped text alone where the title is empty.
fn document_texts(corpus: &Table, rows: impl ExactSizeIterator<Item = usize>) -> Result<Texts, DataError> {
    let (bodies, titles) = (corpus.texts("text")?, titles(corpus)?);
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
    fn a_null_title_is_none_and_a_number_is_no_title() {
        let titles = |first| Column::Any(vec![first, Value::Null, json!(""), json!("")]);
        assert_eq!(texts(&table(Some(titles(json!("Judul"))))), ["Judul  isi", "isi", "isi", ""]);
        assert_eq!(
            document_texts(&table(Some(titles(json!(7)))), 0..4).unwrap_err().to_string(),
            "corpus.jsonl, row 1, column `title`: expected a string or null, found a number: 7"
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
    fn pieces_with_titles_and_pieces_without_are_one_corpus() {
        let piece = |text: &str| mteb_data::read_json_lines("corpus.jsonl", text.as_bytes()).unwrap();
        let (with, without) = (r#"{"_id": "a", "title": "t", "text": "x"}"#, r#"{"_id": "b", "text": "y"}"#);
        let corpus = Pieces(vec![piece(with), piece(without)]);
        let texts =
            DocumentPieces::new(&corpus).map(|piece| piece.unwrap().texts(0..1).unwrap()[0].to_owned());
        assert_eq!(texts.collect::<Vec<_>>(), ["t x", "y"]);
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
