//! What a card changes in one part of a dataset, in the order that `PartSource` documents.

use std::collections::{BTreeMap, BTreeSet};

use mteb_card::{Once, PartSource};
use mteb_data::{Column, DataError, Table};
use serde_json::Value;

use super::columns::{join_columns, number_rows, rename_columns};

/// The rows of a part as the task has them; some of the rows, if what is changed in one does not depend on the others.
///
/// # Errors
/// If a named column is absent, or a cell does not hold what the card says.
pub fn transform_part(mut table: Table, source: &PartSource) -> Result<Table, DataError> {
    table = table.leave_out(&source.without);
    let mut number = source.number.clone();
    if source.unfold {
        let mut read: BTreeSet<&str> = source.read_columns().map(String::as_str).collect();
        for field in &read {
            table = table.with_field(field)?;
        }
        // What all elements of a row share identifies the row, as it does in parts that are not unfolded.
        let is_of_elements =
            |columns: &[String]| columns.iter().any(|name| table.get(name).is_some_and(has_lists));
        let (of_rows, of_elements): (BTreeMap<_, _>, BTreeMap<_, _>) =
            number.into_iter().partition(|(_, columns)| !columns.is_empty() && !is_of_elements(columns));
        table = number_rows(table, &of_rows)?;
        read.extend(of_rows.keys().map(String::as_str));
        number = of_elements;
        table = table.columns_as(read.into_iter().map(|name| (name, name)))?.unfold()?;
    }
    table = number_rows(table, &number)?;
    for (name, join) in &source.join {
        table = join_columns(table, name, join)?;
    }
    table = rename_columns(table, &source.columns)?;
    for (column, values) in &source.keep {
        table = table.filter(column, |cell| is_among(cell, values))?;
    }
    for (column, values) in &source.drop {
        table = table.filter(column, |cell| !is_among(cell, values))?;
    }
    if let Some(grade) = source.grade {
        let scores = vec![grade; table.rows()];
        table = table.with_column("score", Column::Int(scores));
    }
    for (column, which) in &source.once {
        table = choose_once(&table, column, *which)?;
    }
    Ok(table)
}

fn has_lists(column: &Column) -> bool {
    matches!(column, Column::Any(cells) if cells.iter().any(Value::is_array))
}

/// The table with one of the rows that have the same value in `column`, where the first of them stood.
///
/// # Errors
/// If the column is absent, or a cell is null, a list or an object.
pub fn choose_once(table: &Table, column: &str, which: Once) -> Result<Table, DataError> {
    let groups = table.groups(column)?;
    let row = |rows: &Vec<usize>| match which {
        Once::First => rows.first().copied(),
        Once::Last => rows.last().copied(),
    };
    let rows: Vec<usize> = groups.iter().filter_map(|(_, rows)| row(rows)).collect();
    Ok(table.select(&rows))
}

/// `count` rows, each with lists of consecutive rows of `table`; the first ones are one longer where they cannot be equally
/// long.
///
/// # Errors
/// If there are fewer rows than that.
pub fn fold_rows(table: &Table, count: usize) -> Result<Table, DataError> {
    if table.rows() < count {
        return Err(DataError::Malformed {
            place: table.place(0).0.to_owned(),
            message: format!("expected at least {count} rows for as many lists, found {}", table.rows()),
        });
    }
    let (size, longer) = (table.rows() / count, table.rows() % count);
    let start = |list: usize| list * size + list.min(longer);
    let mut folded = table.select(&(0..count).map(start).collect::<Vec<_>>());
    let names: Vec<String> = table.names().map(str::to_owned).collect();
    for name in names {
        let column = table.column(&name)?;
        let list = |list| Value::Array((start(list)..start(list + 1)).map(|row| column.value(row)).collect());
        folded = folded.with_column(&name, Column::Any((0..count).map(list).collect()));
    }
    Ok(folded)
}

/// True if `cell` is one of `values`.
pub fn is_among(cell: &Value, values: &[Value]) -> bool {
    values.iter().any(|value| is_same(cell, value))
}

/// True if `cell` is `value`; numbers are equal in whatever form they are written.
fn is_same(cell: &Value, value: &Value) -> bool {
    match (cell.as_f64(), value.as_f64()) {
        (Some(cell), Some(value)) => cell == value,
        _ => cell == value,
    }
}

#[cfg(test)]
mod tests {
    use mteb_data::read_json_lines;
    use serde_json::json;

    use super::*;

    fn changed(rows: &[Value], source: &str) -> Result<Table, DataError> {
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        let table = read_json_lines("f.jsonl", lines.join("\n").as_bytes()).unwrap();
        transform_part(table, &serde_json::from_str(source).unwrap())
    }

    fn cells(table: &Table, name: &str) -> Value {
        let column = table.column(name).unwrap();
        (0..table.rows()).map(|row| column.value(row)).collect()
    }

    #[test]
    fn lists_of_relevant_documents_become_judgements() {
        let rows = [
            json!({"id": "q1", "gold": ["d1", "d2"], "other": ["x"]}),
            json!({"id": "q2", "gold": [], "other": []}),
            json!({"id": "q3", "gold": ["d1"], "other": ["y", "z"]}),
        ];
        let source = r#"{"unfold": true, "columns": {"query-id": "id", "corpus-id": "gold"}, "grade": 1}"#;
        let qrels = changed(&rows, source).unwrap();
        assert_eq!(cells(&qrels, "query-id"), json!(["q1", "q1", "q3"]));
        assert_eq!(cells(&qrels, "corpus-id"), json!(["d1", "d2", "d1"]));
        assert_eq!(cells(&qrels, "score"), json!([1, 1, 1]));
    }

    #[test]
    fn lists_of_objects_become_rows() {
        let rows = [
            json!({"query": "x", "documents": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}),
            json!({"query": "y", "documents": []}),
            json!({"query": "z", "documents": [{"id": 3, "text": "c", "title": null}]}),
        ];
        let source = r#"{"unfold": true, "columns": {"_id": "documents.id", "text": "documents.text"}}"#;
        let corpus = changed(&rows, source).unwrap();
        assert_eq!(
            (cells(&corpus, "_id"), cells(&corpus, "text")),
            (json!([1, 2, 3]), json!(["a", "b", "c"]))
        );
        let candidates = changed(&rows, r#"{"columns": {"corpus-ids": "documents.id"}}"#).unwrap();
        assert_eq!(cells(&candidates, "corpus-ids"), json!([[1, 2], [], [3]]));
    }

    #[test]
    fn a_row_has_the_same_number_in_parts_that_are_unfolded_and_those_that_are_not() {
        let rows =
            [json!({"query": "x", "relevant": ["d1", "d2"]}), json!({"query": "y", "relevant": ["d3"]})];
        let queries = changed(&rows, r#"{"number": {"_id": ["query"]}}"#).unwrap();
        let source =
            r#"{"unfold": true, "number": {"query-id": ["query"]}, "columns": {"corpus-id": "relevant"}}"#;
        let qrels = changed(&rows, source).unwrap();
        assert_eq!(cells(&queries, "_id"), json!(["0", "1"]));
        assert_eq!(cells(&qrels, "query-id"), json!(["0", "0", "1"]));
    }

    #[test]
    fn judgements_are_chosen_by_their_domain_and_their_own_grade() {
        let rows = [
            json!({"q": "a", "d": "1", "grade": 1.0, "domain": "IN"}),
            json!({"q": "a", "d": "2", "grade": 0.0, "domain": "IN"}),
            json!({"q": "a", "d": "3", "grade": 1.0, "domain": "OUT"}),
        ];
        let source = r#"{"columns": {"query-id": "q", "corpus-id": "d"}, "keep": {"domain": ["IN"]},
            "drop": {"grade": [0]}, "grade": 1}"#;
        assert_eq!(cells(&changed(&rows, source).unwrap(), "corpus-id"), json!(["1"]));
    }

    #[test]
    fn texts_are_made_of_the_fields_that_are_filled_and_titles_may_be_left_out() {
        let rows = [
            json!({"id": 1, "title": "t", "abstract": "a", "claims": "c"}),
            json!({"id": 2, "title": "t", "abstract": null, "claims": " c "}),
            json!({"id": 3, "title": "t", "abstract": "", "claims": null}),
        ];
        let join = |strip: bool| {
            format!(
                r#"{{"without": ["title", "not there"],
                "join": {{"text": {{"columns": ["abstract", "claims"], "separator": "|", "skip_empty": true, "strip": {strip}}}}}}}"#
            )
        };
        let corpus = changed(&rows, &join(false)).unwrap();
        assert_eq!(cells(&corpus, "text"), json!(["a|c", " c ", ""]));
        assert!(corpus.get("title").is_none());
        assert_eq!(cells(&changed(&rows, &join(true)).unwrap(), "text"), json!(["a|c", "c", ""]));
    }

    #[test]
    fn of_rows_with_one_id_the_named_one_counts_where_the_first_one_stood() {
        let rows = [("b", 1), ("a", 2), ("b", 3)].map(|(id, text)| json!({"id": id, "text": text}));
        let texts = |which: &str| {
            let source = format!(r#"{{"once": {{"id": "{which}"}}}}"#);
            cells(&changed(&rows, &source).unwrap(), "text")
        };
        assert_eq!(texts("last"), json!([3, 2]));
        assert_eq!(texts("first"), json!([1, 2]));
    }

    #[test]
    fn rows_are_numbered_by_their_texts_or_each_by_itself() {
        let rows = ["x", "y", "x"].map(|answer| json!({"question": "apa?", "answer": answer}));
        let source = r#"{"number": {"query-id": [], "corpus-id": ["answer"]}}"#;
        let qrels = changed(&rows, source).unwrap();
        assert_eq!(cells(&qrels, "query-id"), json!(["0", "1", "2"]));
        assert_eq!(cells(&qrels, "corpus-id"), json!(["0", "1", "0"]));
        let error = changed(&rows, r#"{"number": {"id": ["jawab"]}}"#).unwrap_err().to_string();
        assert!(error.starts_with("f.jsonl: no column `jawab`; its columns are question, answer"), "{error}");
    }
}
