//! The texts of a unit with what each of them is: its label, or where a type labels no single text, the column or part that it is from.

use std::collections::HashSet;

use mteb_card::TaskCard;
use mteb_data::{Column, DataError, Table, written};
use mteb_tasks::{Part, Unit, facts, text_columns};
use serde_json::Value;

use crate::few_texts::for_each_document;
use crate::stats::for_each_of_row;

/// A text and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelledText {
    /// The label, several in one line; or the name of a column, `query` or `document`.
    pub label: String,
    /// The text; a document's title before its text.
    pub text: String,
}

/// At most `count` distinct texts of a unit that are not blank, from all over its tables: where there are more, every n-th one.
/// `corpus` gives the chunks of a corpus that is not in the unit, of which the first `count` documents are read.
///
/// # Errors
/// If a column that the task type has is absent, or the corpus cannot be read.
pub fn labelled_texts<E: From<DataError>>(
    card: &TaskCard,
    unit: &Unit,
    corpus: Option<impl Iterator<Item = Result<Table, E>>>,
    count: usize,
) -> Result<Vec<LabelledText>, E> {
    let mut texts = Vec::new();
    if let Some(rows) = unit.get(Part::Rows) {
        add_rows(card, rows, &mut texts)?;
    }
    if let Some(queries) = unit.get(Part::Queries) {
        add_queries(queries, &mut texts)?;
    }
    if let Some(documents) = unit.get(Part::Corpus) {
        add_documents(documents, &mut texts)?;
    }
    let known = texts.len();
    for chunk in corpus.into_iter().flatten() {
        add_documents(&chunk?, &mut texts)?;
        if texts.len() - known >= count {
            texts.truncate(known + count);
            break;
        }
    }
    let mut seen = HashSet::new();
    texts.retain(|one: &LabelledText| !one.text.trim().is_empty() && seen.insert(one.clone()));
    Ok(spread(texts, count))
}

/// `count` of them at equal distances.
fn spread(texts: Vec<LabelledText>, count: usize) -> Vec<LabelledText> {
    let all = texts.len();
    if all <= count {
        return texts;
    }
    let is_taken = |number: usize| (number + 1) * count / all > number * count / all;
    texts.into_iter().enumerate().filter(|(number, _)| is_taken(*number)).map(|(_, text)| text).collect()
}

fn add_rows(card: &TaskCard, rows: &Table, texts: &mut Vec<LabelledText>) -> Result<(), DataError> {
    let columns: Vec<&str> = text_columns(card.task_type, Part::Rows)
        .iter()
        .copied()
        .filter(|column| rows.get(column).is_some())
        .collect();
    // The label of a pair is that of neither text.
    let labels = facts(card.task_type).label_column().filter(|_| columns.len() == 1);
    let labels = labels.and_then(|name| rows.get(name));
    for column in columns {
        let cells = rows.column(column)?;
        for row in 0..rows.rows() {
            let mut of_row = Vec::new();
            for_each_of_row(cells, row, |text| of_row.push(text.unwrap_or_default().to_owned()));
            let labels = labels.map_or_else(|| vec![column.to_owned()], |cells| labels_of(cells, row));
            let is_one_each = labels.len() == of_row.len() && of_row.len() > 1;
            let all = labels.join(", ");
            texts.extend(of_row.into_iter().enumerate().map(|(number, text)| {
                let label = if is_one_each { labels[number].clone() } else { all.clone() };
                LabelledText { label, text }
            }));
        }
    }
    Ok(())
}

fn labels_of(cells: &Column, row: usize) -> Vec<String> {
    match cells.value(row) {
        Value::Array(labels) => labels.iter().map(written).collect(),
        label => vec![written(&label)],
    }
}

/// The turns of a conversation are one query.
fn add_queries(table: &Table, texts: &mut Vec<LabelledText>) -> Result<(), DataError> {
    let cells = table.column("text")?;
    for row in 0..table.rows() {
        let mut turns = Vec::new();
        for_each_of_row(cells, row, |turn| turns.push(turn.unwrap_or_default().to_owned()));
        texts.push(LabelledText { label: "query".to_owned(), text: turns.join(" ") });
    }
    Ok(())
}

fn add_documents(table: &Table, texts: &mut Vec<LabelledText>) -> Result<(), DataError> {
    for_each_document(table, |text| {
        texts.push(LabelledText { label: "document".to_owned(), text: text.to_owned() });
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_data::read_json_lines;

    use super::*;

    fn found(task_type: &str, part: Part, lines: &str, count: usize) -> Vec<String> {
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"d\"\n"
        );
        let table = read_json_lines("f.jsonl", lines.as_bytes()).unwrap();
        let unit = Unit::new(["T", "test", "default"], BTreeMap::from([(part, table)]));
        let none: Option<std::iter::Empty<Result<Table, DataError>>> = None;
        let texts = labelled_texts(&TaskCard::from_toml(&card).unwrap(), &unit, none, count).unwrap();
        texts.into_iter().map(|one| format!("{}: {}", one.label, one.text)).collect()
    }

    #[test]
    fn a_text_has_its_label() {
        let rows = "{\"text\": \"a\", \"label\": 1}\n{\"text\": \" \", \"label\": 1}\n{\"text\": \"b\", \"label\": 2}\n";
        assert_eq!(found("Classification", Part::Rows, rows, 9), ["1: a", "2: b"]);
        let sets = "{\"text\": \"a\", \"label\": [\"x\", \"y\"]}\n";
        assert_eq!(found("MultilabelClassification", Part::Rows, sets, 9), ["x, y: a"]);
    }

    #[test]
    fn texts_without_labels_are_told_apart_by_column_or_part() {
        let pairs = "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n";
        assert_eq!(found("STS", Part::Rows, pairs, 9), ["sentence1: a", "sentence2: b"]);
        let queries = "{\"_id\": \"q\", \"text\": \"apa?\"}\n";
        assert_eq!(found("Retrieval", Part::Queries, queries, 9), ["query: apa?"]);
        let corpus = "{\"_id\": \"d\", \"title\": \"t\", \"text\": \"x\"}\n";
        assert_eq!(found("Retrieval", Part::Corpus, corpus, 9), ["document: t x"]);
        let untitled = "{\"_id\": \"d\", \"title\": null, \"text\": \"x\"}\n";
        assert_eq!(found("Retrieval", Part::Corpus, untitled, 9), ["document: x"]);
    }

    #[test]
    fn of_many_texts_those_at_equal_distances_are_taken() {
        let rows: String = (0..10).map(|row| format!("{{\"text\": \"{row}\", \"label\": 0}}\n")).collect();
        assert_eq!(found("Classification", Part::Rows, &rows, 3), ["0: 3", "0: 6", "0: 9"]);
    }
}
