//! The text of a document as it is encoded (protocol 3.1).

use mteb_data::{DataError, Table, Texts};

use super::strip::strip;

/// Title, one space and text of each of `rows`, stripped; the stripped text alone where the title is empty.
pub(super) fn document_texts(
    corpus: &Table,
    rows: impl ExactSizeIterator<Item = usize>,
) -> Result<Texts, DataError> {
    let bodies = corpus.texts("text")?;
    let titles = match corpus.get("title") {
        Some(_) => Some(corpus.texts("title")?),
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
            "corpus.jsonl, row 2, column `title`: expected a string, found null"
        );
    }
}
