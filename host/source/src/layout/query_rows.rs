//! Ranking tasks in one file: a row for each query, with its documents and which of them are relevant (protocol 2.6).

use std::collections::{BTreeMap, HashMap};

use mteb_card::TaskType;
use mteb_data::{Column, DataError, Table, Texts, written_number};
use mteb_tasks::Part;
use serde_json::Value;

/// Names that a column may have, best first: of the documents of a query, of the relevant ones among them, of its id.
const DOCUMENTS: [&str; 3] = ["documents", "corpus", "docs"];
const RELEVANT: [&str; 3] = ["relevant", "relevant_docs", "expected"];
const QUERY_IDS: [&str; 4] = ["_id", "id", "query-id", "query_id"];
/// The same of the ids of documents that are objects.
const DOCUMENT_IDS: [&str; 4] = ["_id", "id", "corpus-id", "doc_id"];

/// What a document is, for messages.
const DOCUMENT: &str = "documents: objects with `id`, `text` and perhaps `title`, or texts";
/// What is relevant, for messages.
const JUDGED: &str = "the relevant documents: a list of their ids, or an object of ids and grades";

/// The parts of a ranking task whose data is a row for each query. The documents are those of the rows, if there is no `corpus`
/// beside them; for a type that reranks they are the candidates of their query.
///
/// # Errors
/// If a column is absent, or a cell holds something else.
pub fn make_parts(
    rows: &Table,
    corpus: Option<Table>,
    task_type: TaskType,
) -> Result<BTreeMap<Part, Table>, DataError> {
    if !has(rows, "query") {
        return Err(no_queries(rows));
    }
    let texts = rows.texts("query")?;
    let ids = query_ids(rows)?;
    let documents = first_of(rows, &DOCUMENTS);
    let mut parts = BTreeMap::new();
    let mut found = Documents::default();
    match (documents, corpus) {
        (Some(name), None) => {
            for row in 0..rows.rows() {
                found.add(rows, name, row)?;
            }
            parts.insert(Part::Corpus, found.table(rows));
        }
        (None, Some(corpus)) => drop(parts.insert(Part::Corpus, corpus)),
        (documents, _) => return Err(which_documents(rows, documents)),
    }
    if documents.is_some() && matches!(task_type, TaskType::Reranking | TaskType::InstructionReranking) {
        let lists = found.of_rows.iter().map(|list| list.iter().map(|place| found.id(*place)).collect());
        let lists = Column::Any(lists.collect());
        let table = rows.without_cells().with_column("query-id", Column::Text(ids.clone()));
        parts.insert(Part::TopRanked, table.with_column("corpus-ids", lists));
    }
    parts.insert(Part::Qrels, judgements(rows, &ids, &found)?);
    if let Some(instructions) = rows.get("instruction") {
        let table = rows.without_cells().with_column("query-id", Column::Text(ids.clone()));
        parts.insert(Part::Instruction, table.with_column("instruction", instructions.clone()));
    }
    let queries = rows.without_cells().with_column("_id", Column::Text(ids));
    parts.insert(Part::Queries, queries.with_column("text", Column::Text(texts.into_owned())));
    Ok(parts)
}

fn has(rows: &Table, name: &str) -> bool {
    rows.get(name).is_some()
}

fn first_of(rows: &Table, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| has(rows, name))
}

/// The ids that the rows have, else their places.
fn query_ids(rows: &Table) -> Result<Texts, DataError> {
    let Some(name) = first_of(rows, &QUERY_IDS) else {
        return Ok((0..rows.rows()).map(|row| format!("Q{row}")).collect());
    };
    let column = rows.column(name)?;
    let one = |row: usize| {
        let value = column.value(row);
        id_of(&value).ok_or_else(|| rows.fault(name, row, "an id: a string or a number", &value))
    };
    Ok((0..rows.rows()).map(one).collect::<Result<Vec<_>, _>>()?.into_iter().collect())
}

fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(number) => Some(written_number(number)),
        _ => None,
    }
}

/// The documents of all rows, each once.
#[derive(Default)]
struct Documents {
    ids: Vec<String>,
    texts: Texts,
    titles: Texts,
    /// The row that each was first seen in.
    rows: Vec<usize>,
    /// The documents of each row.
    of_rows: Vec<Vec<usize>>,
    places: HashMap<String, usize>,
    /// Those that are only texts, by these.
    by_text: HashMap<String, usize>,
}

impl Documents {
    /// The documents in the list at `row`.
    fn add(&mut self, rows: &Table, name: &str, row: usize) -> Result<(), DataError> {
        let value = rows.column(name)?.value(row);
        let fault = |found: &Value| rows.fault(name, row, DOCUMENT, found);
        let mut own = Vec::new();
        for document in value.as_array().ok_or_else(|| fault(&value))? {
            let place = match document {
                Value::String(text) => match self.by_text.get(text) {
                    Some(place) => *place,
                    None => {
                        let place = self.push(format!("D{}", self.ids.len()), text, "", row);
                        self.by_text.insert(text.clone(), place);
                        place
                    }
                },
                document => {
                    let id = DOCUMENT_IDS.iter().find_map(|name| id_of(document.get(name)?));
                    let text = document.get("text").and_then(Value::as_str);
                    let title = document.get("title").map_or(Some(""), |title| match title {
                        Value::Null => Some(""),
                        title => title.as_str(),
                    });
                    let (Some(id), Some(text), Some(title)) = (id, text, title) else {
                        return Err(fault(document));
                    };
                    match self.places.get(&id).copied() {
                        Some(place) if self.texts[place] == *text && self.titles[place] == *title => place,
                        Some(place) => {
                            let before = rows.location(self.rows[place]);
                            let expected = format!("the text that the document `{id}` has in {before} too");
                            return Err(rows.fault(name, row, &expected, document));
                        }
                        None => self.push(id, text, title, row),
                    }
                }
            };
            own.push(place);
        }
        self.of_rows.push(own);
        Ok(())
    }

    fn push(&mut self, id: String, text: &str, title: &str, row: usize) -> usize {
        let place = self.ids.len();
        self.places.insert(id.clone(), place);
        self.ids.push(id);
        self.texts.push(text);
        self.titles.push(title);
        self.rows.push(row);
        place
    }

    fn id(&self, place: usize) -> Value {
        Value::from(self.ids[place].as_str())
    }

    fn table(&self, rows: &Table) -> Table {
        let table = rows.without_cells().select(&self.rows);
        let table = table.with_column("_id", Column::Text(self.ids.iter().collect()));
        let table = table.with_column("text", Column::Text(self.texts.clone()));
        match self.titles.iter().all(str::is_empty) {
            true => table,
            false => table.with_column("title", Column::Text(self.titles.clone())),
        }
    }
}

/// A judgement for each relevant document of a row.
fn judgements(rows: &Table, ids: &Texts, documents: &Documents) -> Result<Table, DataError> {
    let name = first_of(rows, &RELEVANT).unwrap_or(RELEVANT[0]);
    let column = rows.column(name)?;
    let (mut places, mut query_ids, mut document_ids) = (Vec::new(), Texts::new(), Texts::new());
    let mut grades = Vec::new();
    for row in 0..rows.rows() {
        let value = column.value(row);
        let judged = read_grades(&value).ok_or_else(|| rows.fault(name, row, JUDGED, &value))?;
        for (document, grade) in judged {
            // A document that is only a text is named by it.
            let of_text = documents.by_text.get(&document).map(|place| documents.ids[*place].as_str());
            places.push(row);
            query_ids.push(&ids[row]);
            document_ids.push(of_text.unwrap_or(&document));
            grades.push(grade);
        }
    }
    let table = rows.without_cells().select(&places);
    let table = table.with_column("query-id", Column::Text(query_ids));
    let table = table.with_column("corpus-id", Column::Text(document_ids));
    Ok(table.with_column("score", Column::Float(grades)))
}

/// Documents and their grades: of a list of ids, of an object of ids and grades, or of one of such lists, whose names say nothing more.
fn read_grades(value: &Value) -> Option<Vec<(String, f64)>> {
    match value {
        Value::Array(list) => list.iter().map(|id| Some((id_of(id)?, 1.0))).collect(),
        Value::Object(of_lists) if of_lists.values().all(Value::is_array) => {
            let lists = of_lists.values().map(read_grades).collect::<Option<Vec<_>>>()?;
            Some(lists.into_iter().flatten().collect())
        }
        Value::Object(grades) => {
            grades.iter().map(|(id, grade)| Some((id.clone(), grade.as_f64()?))).collect()
        }
        _ => None,
    }
}

fn no_queries(rows: &Table) -> DataError {
    let found = rows.names().collect::<Vec<_>>().join(", ");
    DataError::Malformed {
        place: rows.place(0).0.to_owned(),
        message: format!(
            "expected a row for each query with the columns `query`, `documents` and `relevant`, as there is no file of queries or \
             judgements, found the columns {found}; name the columns so, or put corpus, queries and judgements into `corpus.jsonl`, \
             `queries.jsonl` and `qrels.tsv`"
        ),
    }
}

fn which_documents(rows: &Table, documents: Option<&str>) -> DataError {
    let message = match documents {
        Some(name) => format!("expected the documents in the column `{name}` or in a separate corpus, found both; remove one"),
        None => "expected the documents of each query in a column `documents`, or those of all in a file `corpus.jsonl`, found neither"
            .to_owned(),
    };
    DataError::Malformed { place: rows.place(0).0.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use mteb_data::read_json_lines;
    use serde_json::json;

    use super::*;

    fn made(
        rows: &[Value],
        corpus: Option<Table>,
        task_type: TaskType,
    ) -> Result<BTreeMap<Part, Table>, String> {
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        let rows = read_json_lines("test.jsonl", lines.join("\n").as_bytes()).unwrap();
        make_parts(&rows, corpus, task_type).map_err(|error| error.to_string())
    }

    fn cells(table: &Table, name: &str) -> Value {
        let column = table.column(name).unwrap();
        (0..table.rows()).map(|row| column.value(row)).collect()
    }

    #[test]
    fn the_documents_of_a_query_are_its_candidates() {
        let document = |id: &str| json!({"id": id, "text": format!("teks {id}")});
        let rows = [
            json!({"query": "x", "documents": [document("a"), document("b")], "relevant": ["a"]}),
            json!({"query": "y", "documents": [document("b"), document("c")], "relevant": {"b": 1, "c": 2}}),
        ];
        let parts = made(&rows, None, TaskType::Reranking).unwrap();
        assert_eq!(cells(&parts[&Part::Corpus], "_id"), json!(["a", "b", "c"]));
        assert_eq!(parts[&Part::Corpus].location(2), "test.jsonl, line 2");
        assert_eq!(cells(&parts[&Part::TopRanked], "corpus-ids"), json!([["a", "b"], ["b", "c"]]));
        assert_eq!(cells(&parts[&Part::Qrels], "corpus-id"), json!(["a", "b", "c"]));
        assert_eq!(cells(&parts[&Part::Qrels], "score"), json!([1.0, 1.0, 2.0]));
        assert_eq!(cells(&parts[&Part::Queries], "_id"), cells(&parts[&Part::TopRanked], "query-id"));
        assert!(!made(&rows, None, TaskType::Retrieval).unwrap().contains_key(&Part::TopRanked));
    }

    #[test]
    fn documents_may_be_texts_and_have_null_titles() {
        let rows = [json!({"query": "x", "documents": ["satu", "dua"], "relevant": ["dua"]})];
        let parts = made(&rows, None, TaskType::Reranking).unwrap();
        assert_eq!(cells(&parts[&Part::Qrels], "corpus-id"), json!(["D1"]));
        let titled = [json!({"query": "x", "relevant_docs": {"query_id": [1]},
                   "corpus": [{"id": 1, "text": "a", "title": null}, {"id": 2, "text": "b", "title": "t"}]})];
        let parts = made(&titled, None, TaskType::Retrieval).unwrap();
        assert_eq!(cells(&parts[&Part::Corpus], "title"), json!(["", "t"]));
        assert_eq!(cells(&parts[&Part::Qrels], "corpus-id"), json!(["1"]));
    }

    #[test]
    fn instructions_and_a_corpus_beside_the_rows_are_read() {
        let corpus = read_json_lines("corpus.jsonl", br#"{"_id": "doc1", "text": "a"}"#).unwrap();
        let rows = [json!({"instruction": "Cari", "query": "x", "expected": ["doc1"]})];
        let parts = made(&rows, Some(corpus.clone()), TaskType::InstructionRetrieval).unwrap();
        assert_eq!(cells(&parts[&Part::Instruction], "instruction"), json!(["Cari"]));
        assert_eq!(parts[&Part::Corpus], corpus);
        let neither = made(&rows, None, TaskType::InstructionRetrieval).unwrap_err();
        assert!(neither.contains("in a file `corpus.jsonl`, found neither"), "{neither}");
    }

    #[test]
    fn what_is_no_such_row_is_named() {
        let refused = |row: Value| made(&[row], None, TaskType::Reranking).unwrap_err();
        assert!(refused(json!({"teks": "x"})).starts_with("test.jsonl: expected a row for each query"));
        let fault = refused(json!({"query": "x", "documents": [{"id": "a"}], "relevant": []}));
        assert!(
            fault.starts_with("test.jsonl, line 1, column `documents`: expected documents: objects"),
            "{fault}"
        );
        let document = |text: &str| json!({"id": "a", "text": text});
        let fault =
            refused(json!({"query": "x", "documents": [document("x"), document("y")], "relevant": []}));
        assert!(
            fault.contains("expected the text that the document `a` has in test.jsonl, line 1 too"),
            "{fault}"
        );
        let fault = refused(json!({"query": "x", "documents": [document("x")], "relevant": true}));
        assert!(fault.contains("column `relevant`: expected the relevant documents"), "{fault}");
    }
}
