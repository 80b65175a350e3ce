//! Damaged kept rows, and what a worker that parses may send.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mteb_data::Table;
use mteb_data::mapped::Recorded;
use mteb_workers::parsing::message::{ParserAnswer, ParserQuestion, wanted};
use mteb_workers::plugins::frame;
use serde_json::Value;

use super::mutate::{kind, with_checksums, write_anew};

/// Bytes at the end: offset and length of the head, its hash, magic.
const TRAILER: usize = 56;

/// Key of the records in the corpus.
const KEY: &str = "k";

/// Reads a record as it is, and once more with the checksums that its head asks for, so that what lies behind them is
/// reached.
pub fn table(input: &[u8]) -> String {
    format!("{}; sealed: {}", answer(input), seal(input).map_or_else(String::new, |bytes| answer(&bytes)))
}

fn answer(input: &[u8]) -> String {
    let path = file();
    write_anew(path, input);
    let mut rows = match Recorded::open(fs::File::open(path).unwrap(), KEY) {
        Ok(rows) => rows,
        Err(error) => return kind(&error.to_string()),
    };
    let checked = rows.check();
    let mut answer = String::from("ok");
    for limit in [2, 2, usize::MAX, 9] {
        match rows.read("a.jsonl", limit) {
            Ok(Some(table)) => {
                look(&table);
                answer += &format!(" {}x{}", table.rows().min(9), table.names().count().min(9));
            }
            Ok(None) => answer += " other",
            Err(error) => {
                assert!(checked.is_err(), "a check and a run find the same");
                return answer + &kind(&error.to_string());
            }
        }
    }
    answer
}

/// Every cell and every place can be had.
fn look(table: &Table) {
    let rows = table.rows().min(1000);
    for name in table.names() {
        let column = table.get(name).unwrap();
        assert_eq!(column.len(), table.rows());
        (0..rows).for_each(|row| drop(column.value(row)));
    }
    (0..rows).for_each(|row| drop(table.location(row)));
}

/// The record with right checksums of its sections and its head.
fn seal(input: &[u8]) -> Option<Vec<u8>> {
    let end = input.len().checked_sub(TRAILER)?;
    let start = usize::try_from(u64::from_le_bytes(input[end..end + 8].try_into().ok()?)).ok()?;
    let mut head: Value = serde_json::from_slice(input.get(start..end)?).ok()?;
    check(&mut head, &input[..start]);
    let head = serde_json::to_vec(&head).ok()?;
    let mut bytes = input[..start].to_vec();
    bytes.extend(&head);
    bytes.extend((start as u64).to_le_bytes());
    bytes.extend((head.len() as u64).to_le_bytes());
    bytes.extend(blake3::hash(&head).as_bytes());
    bytes.extend(b"MTEBTAB1");
    Some(bytes)
}

/// Writes into every section below `value` the checksum of its bytes, which are less than a megabyte.
fn check(value: &mut Value, sections: &[u8]) {
    let bytes = || {
        let number = |key: &str| usize::try_from(value.get(key)?.as_u64()?).ok();
        let offset = number("offset")?;
        sections.get(offset..offset.checked_add(number("length")?)?)
    };
    if let Some(bytes) = bytes() {
        let hashes = if bytes.is_empty() { Vec::new() } else { blake3::hash(bytes).as_bytes().to_vec() };
        value["checksum"] = Value::from(blake3::hash(&hashes).to_hex().to_string());
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| check(value, sections)),
        Value::Object(values) => values.values_mut().for_each(|value| check(value, sections)),
        _ => {}
    }
}

/// Reads what the host reads of a worker that parses, and what the worker reads of the host.
pub fn parser(input: &[u8]) -> String {
    messages(input) + "; " + &messages(&with_checksums(input))
}

fn messages(input: &[u8]) -> String {
    let mut said = String::new();
    let mut stream = input;
    loop {
        let answer = frame::read::<ParserAnswer>(&mut stream).map(|frame| frame.map(|frame| frame.header));
        match answer {
            Ok(Some(ParserAnswer::Opened)) => said += "o",
            Ok(Some(ParserAnswer::Rows(_))) => said += "r",
            Ok(Some(ParserAnswer::Fault(fault))) => {
                let error = fault.into_error(Path::new("a.csv"));
                said += if error.to_string().is_empty() { "e" } else { "f" };
            }
            Ok(None) => break,
            Err(error) => {
                said += &kind(&error.to_string());
                break;
            }
        }
    }
    let question = frame::read::<ParserQuestion>(&mut &*input).map(|frame| frame.map(|frame| frame.header));
    match question {
        Ok(Some(ParserQuestion::Open { columns, ids, form, .. })) => {
            said + &format!(" open {}", wanted(columns, ids, form).has("a"))
        }
        Ok(Some(ParserQuestion::Read { .. })) => said + " read",
        Ok(None) => said + " end",
        Err(_) => said,
    }
}

fn file() -> &'static Path {
    static FOLDER: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, file) = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kept.table");
        (folder, file)
    });
    file
}

#[test]
fn the_corpus_is_what_the_host_writes() {
    use mteb_data::mapped::Recorder;
    let row =
        |row: usize| format!("{{\"a\": \"é{row}\", \"n\": {row}, \"f\": {row}.5, \"x\": [{row}, null]}}\n");
    for (name, rows) in [("none", 0), ("one", 1), ("pieces", 3)] {
        let mut recorder = Recorder::new(Vec::new(), KEY);
        for first in (0..=rows).step_by(2) {
            let text: String = (first..rows.min(first + 2)).map(row).collect();
            let table = mteb_data::read_json_lines("a.jsonl", text.as_bytes()).unwrap();
            recorder.add("a.jsonl", 2, &table).unwrap();
        }
        let written = recorder.finish().unwrap();
        assert!(answer(&written).starts_with("ok"), "{}", answer(&written));
        assert_eq!(seal(&written).as_deref(), Some(&written[..]), "what is sealed here is sealed so there");
        same(&format!("table/{name}.table"), &written);
    }
    let fault = serde_json::json!({"fault": {"malformed": {"place": "a.csv, line 2", "message": "expected 3 cells"}}});
    let io = serde_json::json!({"fault": {"io": {"code": 13, "message": "no"}}});
    let open = serde_json::to_value(ParserQuestion::open(
        &wanted(Some(vec!["a".to_owned()]), vec!["b".to_owned()], None),
        1 << 30,
    ))
    .unwrap();
    let read = serde_json::json!({"method": "read", "limit": u64::MAX});
    let frames = |headers: &[Value]| {
        let mut bytes = Vec::new();
        headers.iter().for_each(|header| frame::write(&mut bytes, 1, header, b"/a.csv").unwrap());
        bytes
    };
    same("parser/answers", &frames(&["opened".into(), serde_json::json!({"rows": 7}), fault, io]));
    same("parser/questions", &frames(&[open, read]));
}

fn same(name: &str, written: &[u8]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    assert!(fs::read(&file).unwrap() == written, "{} is of another form", file.display());
}
