//! Damaged and misformed files: each error names the file, the place and what was expected there.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::path::{Path, PathBuf};

use mteb_data::{DataError, Table, read_file};
use proptest::prelude::*;

/// Writes a file and reads it; the message has the file's bare name.
fn read(name: &str, bytes: &[u8]) -> Result<Table, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("the file is written");
    read_file(&path).map_err(|error| message(&error, folder.path()))
}

fn message(error: &DataError, folder: &Path) -> String {
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

fn refused(name: &str, text: &str) -> String {
    read(name, text.as_bytes()).expect_err("the file is refused")
}

#[test]
fn broken_json_lines_are_named_by_their_line() {
    assert_eq!(
        refused("a.jsonl", "{\"text\": \"a\"}\n\n{\"text\": \"b\"\n"),
        "a.jsonl, line 3: expected a JSON object, found broken JSON at byte 12: EOF while parsing an object"
    );
    assert_eq!(
        refused("a.jsonl", "{\"text\": \"a\"}\n[1]\n"),
        "a.jsonl, line 2: expected a JSON object, found sequence"
    );
    assert_eq!(
        refused("a.jsonl", "{\"text\": \"a\", \"text\": \"b\"}\n"),
        "a.jsonl, line 1: expected each key once, found `text` twice"
    );
    assert_eq!(
        refused("a.jsonl", "{\"id\": 123456789012345678901}\n"),
        "a.jsonl, line 1: expected whole numbers of at most 64 bits, found 123456789012345678901; write it as a \
         string"
    );
}

#[test]
fn broken_json_lists_are_named_by_their_row() {
    assert_eq!(
        refused("a.json", "[{\"text\": \"a\"}, 7]"),
        "a.json, row 2: expected a JSON object, found integer `7`"
    );
    assert_eq!(
        refused("a.json", "\"text\""),
        "a.json: expected a list of JSON objects, found string \"text\""
    );
}

#[test]
fn text_behind_a_closing_quote_is_named_by_its_line() {
    let expected = |place: &str, mark: &str, found: &str| {
        format!(
            "{place}: expected a {mark} or the end of the line after a closing quote (\"), found: {found}; put \
             a text with quotes into double quotes, and double its own (\"\")"
        )
    };
    // Two rows would become one.
    assert_eq!(
        refused("a.tsv", "text\tlabel\na\t1\n\"Ya, kata dia\t1\nb\t0\n\"Tidak\" kata dia\t0\n"),
        expected("a.tsv, line 5", "tab", "Tidak\" kata dia\t0")
    );
    assert_eq!(
        refused("a.csv", "text,label\r\n\"Ya\" kata dia,1\r\nb,0\r\n"),
        expected("a.csv, line 2", "comma", " kata dia,1")
    );
    assert_eq!(
        refused("a.csv", "\u{feff}text,label\nb,0\n\n\"a\nb\"c,1\n"),
        expected("a.csv, line 5", "comma", "c,1")
    );
    assert_eq!(refused("a.csv", "text,label\nb,0\na,\"1\" "), expected("a.csv, line 3", "comma", " "));
    // Quotes that a text may have.
    let text = "text,label\n\"a \"\"b\"\" c\",1\na \"b\" c,\"0\"\n\"\",1\n\"\"\"\",\"1\"\r\n\"d\ne\",0";
    assert_eq!(read("a.csv", text.as_bytes()).expect("the file is read").rows(), 5);
}

#[test]
fn judgements_in_the_form_of_trec_have_no_header() {
    for text in ["q1\t0\td\"1\t2\r\n01\t0\td2\t0\r\n", "\u{feff}q1 Q0 d\"1 2\n01 Q0 d2 0"] {
        let table = read("test.tsv", text.as_bytes()).expect("the file is read");
        let cells = |name: &str| format!("{:?}", table.get(name));
        assert_eq!(table.rows(), 2, "{text}");
        assert!(
            cells("query-id").contains("01") && cells("corpus-id").contains("d2"),
            "{}",
            cells("query-id")
        );
        assert!(table.get("score").is_some());
    }
    let table = read("test.tsv", b"q1   0 \td1  1.5 \r\nq2 0 d2 0\n").expect("the file is read");
    assert!(format!("{:?}", table.column("score")).contains("[1.5, 0.0]"));
    assert!(table.location(1).ends_with("/test.tsv, line 2"), "{}", table.location(1));
    // As a header it is one all the same where a cell is no grade.
    assert!(
        read("test.tsv", b"q1\t0\td1\tscore\na\t0\tb\t1\n").expect("the file is read").get("d1").is_some()
    );
    assert_eq!(
        refused("test.tsv", "q1 0 d1 1\nq1 0 d2\n"),
        "test.tsv, line 2: expected 4 cells as in the header, found 3; write every cell, including empty ones"
    );
}

#[test]
fn broken_csv_is_named_by_its_line() {
    assert_eq!(
        refused("a.csv", "text,label\n\"a\nb\",1\nc\n"),
        "a.csv, line 4: expected 2 cells as in the header, found 1; write every cell, including empty ones"
    );
    assert_eq!(
        refused("a.csv", "text,label\na,1\nb,\"2\n"),
        "a.csv, line 3: expected a closing quote (\") of a cell of this row, found the end of the file"
    );
    assert_eq!(
        read("a.csv", b"text,label\na,1\n\xff,2\n").expect_err("no UTF-8"),
        "a.csv, line 3, column `text`: expected UTF-8 text, found the byte 0xff; save the file as UTF-8, or \
         name its encoding in the card, such as `encoding = \"windows-1252\"` in `[dataset]`"
    );
}

#[test]
fn lines_are_those_of_an_editor_whatever_ends_them() {
    for end in ["\n", "\r\n"] {
        let text = ["text,score", "a,1", "", "\"b", "c\",2", "d,tiga", ""].join(end);
        let table = read("a.csv", text.as_bytes()).expect("the file is read");
        let error = table.floats("score").expect_err("a word").to_string();
        assert!(error.contains("a.csv, line 6, column `score`"), "{end:?}: {error}");
        let cut = ["text,label", "", "a,1", "c", ""].join(end);
        assert_eq!(
            refused("a.csv", &cut),
            "a.csv, line 4: expected 2 cells as in the header, found 1; write every cell, including empty ones",
            "{end:?}"
        );
    }
}

#[test]
fn cells_of_another_type_are_named_by_row_and_column() {
    let table = read("a.tsv", b"text\tscore\na\t1\n\"b\nc\"\t2\nd\ttiga\n").expect("the file is read");
    let error = table.floats("score").expect_err("a word");
    assert!(
        error
            .to_string()
            .ends_with("a.tsv, line 5, column `score`: expected a number, found a string: \"tiga\"")
    );
    let table = read("a.jsonl", b"{\"text\": \"a\"}\n{\"text\": null}\n").expect("the file is read");
    let error = table.texts("text").expect_err("a null");
    assert!(error.to_string().ends_with("a.jsonl, line 2, column `text`: expected a string, found null"));
}

#[test]
fn files_that_are_cut_say_so() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/data");
    for (name, expected) in [
        ("lines.jsonl.gz", "expected complete gzip data, found it damaged or truncated"),
        ("lines.jsonl.zst", "expected complete zstd data, found it damaged or truncated"),
        ("plain.parquet", "expected a Parquet file, found it damaged or truncated"),
    ] {
        let bytes = std::fs::read(golden.join(name)).expect("the fixture is there");
        let message = read(name, &bytes[..bytes.len() - 9]).expect_err("it is cut");
        assert!(message.starts_with(&format!("{name}: {expected}")), "{message}");
    }
    assert_eq!(refused("a.csv", ""), "a.csv: expected rows, found an empty file; fetch or write it again");
    assert!(refused("a.xlsx", "PK").starts_with("a.xlsx: expected a file in a supported format"));
}

fn fixtures() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/data");
    let names =
        ["plain.parquet", "delta.parquet", "nested.parquet", "lines.jsonl.zst", "quoted.csv", "list.json"];
    names.iter().map(|name| golden.join(name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever byte is changed, the reader answers with rows or with an error that names the file.
    #[test]
    fn a_changed_byte_never_ends_the_program(file in 0..6usize, place in 0.0..1.0f64, value: u8) {
        let path = &fixtures()[file];
        let mut bytes = std::fs::read(path).expect("the fixture is there");
        let index = (bytes.len() as f64 * place) as usize;
        bytes[index] = value;
        let name = path.file_name().expect("a name").to_string_lossy();
        if let Err(message) = read(&name, &bytes) {
            prop_assert!(message.starts_with(&*name), "{}", message);
        }
    }
}
