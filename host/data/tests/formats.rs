//! Files of every format beside what pyarrow and pandas read from them (`tests/golden/data`).

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::path::{Path, PathBuf};

use mteb_data::{Column, ReadRows, SplitRows, Table, Wanted, read_file, read_json_lines};
use serde_json::{Map, Value};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/data")
}

fn expected() -> Map<String, Value> {
    let text = std::fs::read_to_string(golden().join("expected.json")).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is JSON")
}

/// The rows as JSON objects.
fn rows(table: &Table) -> Value {
    let row = |row| table.names().map(|name| (name.to_owned(), cell(table, name, row))).collect();
    (0..table.rows()).map(|index| Value::Object(row(index))).collect()
}

fn cell(table: &Table, name: &str, row: usize) -> Value {
    table.column(name).expect("the column is there").value(row)
}

/// A 32-bit number is what it is; Python shows it with the digits of 64 bits, as the table does.
fn assert_same(found: &Value, expected: &Value, file: &str) {
    let found: Vec<&Map<String, Value>> = objects(found);
    let expected: Vec<&Map<String, Value>> = objects(expected);
    assert_eq!(found.len(), expected.len(), "rows of {file}");
    for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for (name, value) in *expected {
            let same = match (value.as_f64(), found[name].as_f64()) {
                (Some(a), Some(b)) => a == b,
                _ => found[name] == *value,
            };
            assert!(same, "{file}, row {row}, {name}: expected {value}, found {}", found[name]);
        }
    }
}

fn objects(rows: &Value) -> Vec<&Map<String, Value>> {
    rows.as_array().expect("a list").iter().map(|row| row.as_object().expect("an object")).collect()
}

#[test]
fn every_format_gives_the_rows_that_the_reference_reads() {
    for (file, expected) in expected() {
        let table = read_file(&golden().join(&file)).unwrap_or_else(|error| panic!("{error}"));
        assert_same(&rows(&table), &expected, &file);
    }
}

#[test]
fn rows_read_piece_by_piece_are_the_same_rows() {
    for (file, expected) in expected() {
        let mut reader = SplitRows::of_file(&golden().join(&file), Wanted::All);
        let mut all = Vec::new();
        loop {
            let piece = reader.read_rows(2).unwrap_or_else(|error| panic!("{error}"));
            if piece.rows() == 0 {
                break;
            }
            assert!(piece.location(0).ends_with(&format!(" {}", all.len() + 1)) || !file.contains("parquet"));
            all.extend(rows(&piece).as_array().expect("a list").clone());
        }
        assert_same(&Value::Array(all), &expected, &file);
    }
}

#[test]
fn columns_that_are_not_wanted_are_passed_over_and_named() {
    for file in ["plain.parquet", "nested.parquet", "lines.jsonl", "list.json", "quoted.csv"] {
        let all = read_file(&golden().join(file)).expect("the file is read");
        let first = all.names().next().expect("a column").to_owned();
        let mut reader = SplitRows::of_file(&golden().join(file), Wanted::Named([first.clone()].into()));
        let table = reader.read_rows(usize::MAX).expect("the file is read");
        assert_eq!(table.names().collect::<Vec<_>>(), [first.as_str()], "{file}");
        assert_eq!(table.column(&first).expect("wanted"), all.column(&first).expect("there"), "{file}");
        let message = table.texts("judul").expect_err("no such column").to_string();
        let names = all.names().collect::<Vec<_>>().join(", ");
        assert!(message.contains(&format!("its columns are {names};")), "{message}");
    }
}

#[test]
fn whole_columns_keep_their_narrow_types() {
    let table = read_file(&golden().join("plain.parquet")).expect("the file is read");
    assert!(matches!(table.get("large"), Some(Column::Text(texts)) if texts.len() == 7));
    assert!(matches!(table.get("small"), Some(Column::Int(_))));
    assert!(matches!(table.get("single"), Some(Column::Float(_))));
    assert!(matches!(table.get("hole"), Some(Column::Any(_))));
}

#[test]
fn where_there_is_no_row_none_is_said_to_lack_a_column() {
    let table = read_json_lines("a pack", b"").expect("nothing is no fault of its form");
    let message = table.floats("score").expect_err("no row").to_string();
    assert_eq!(message, "a pack: expected rows with a column `score`, found no row");
}
