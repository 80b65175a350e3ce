//! What Parquet files may hold that is refused: damage that only checksums tell, bytes that are no
//! text, and dates, times and decimals, which are no numbers: whoever needs numbers is told what
//! the column holds.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use mteb_data::read_file;
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

#[test]
fn a_page_whose_checksum_differs_is_damaged() {
    let bytes = include_bytes!("files/page_checksum.parquet");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    fs::write(&path, bytes).unwrap();
    let rows = read_file(&path).unwrap();
    assert_eq!(rows.texts("text").unwrap().get(0), Some("foo bar"));
    let place = bytes.windows(7).position(|window| window == b"foo bar").unwrap();
    let mut damaged = bytes.to_vec();
    damaged[place] ^= 1;
    fs::write(&path, damaged).unwrap();
    let error = read_file(&path).unwrap_err().to_string();
    assert!(error.contains("expected a Parquet file, found it damaged or truncated"), "{error}");
}

/// Two row groups of a column of plain bytes and one of numbers.
fn write(path: &Path, groups: [&[&[u8]]; 2]) {
    let schema = "message rows { REQUIRED BYTE_ARRAY name; REQUIRED INT64 score; }";
    let schema = parse_message_type(schema).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).unwrap();
    for names in groups {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let names: Vec<ByteArray> = names.iter().map(|name| ByteArray::from(name.to_vec())).collect();
        column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&vec![1; names.len()], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_row_by_whoever_needs_the_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let first: [&[&[u8]]; 2] = [&[b"\xff\xfe"], &[b"a"]];
    let last: [&[&[u8]]; 2] = [&[b"a", b"b"], &[b"c", b"\xff"]];
    for (groups, row) in [(first, 1), (last, 4)] {
        write(&path, groups);
        let rows = read_file(&path).unwrap();
        assert_eq!(
            rows.floats("score").unwrap().len(),
            groups.iter().map(|names| names.len()).sum::<usize>()
        );
        let error = rows.texts("name").unwrap_err().to_string();
        assert!(error.contains(&format!("found bytes that are not UTF-8 (row {row}); write")), "{error}");
    }
}

/// Writes two rows of a column `score` of the type that `form` declares.
fn write_scores(path: &Path, form: &str) {
    let schema = parse_message_type(&format!("message rows {{ REQUIRED {form}; }}")).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    if form.starts_with("FIXED") {
        let cells = [1, 5].map(|number| FixedLenByteArray::from(vec![0, number]));
        column.typed::<FixedLenByteArrayType>().write_batch(&cells, None, None).unwrap();
    } else if form.starts_with("INT32") {
        column.typed::<Int32Type>().write_batch(&[1, 5], None, None).unwrap();
    } else {
        column.typed::<Int64Type>().write_batch(&[1, 5], None, None).unwrap();
    }
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn dates_times_and_decimals_are_refused_with_their_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    for (form, found) in [
        ("INT32 score (DATE)", "dates"),
        ("INT32 score (TIME_MILLIS)", "times of day"),
        ("INT64 score (TIME(MICROS,true))", "times of day"),
        ("INT64 score (TIMESTAMP_MILLIS)", "points in time"),
        ("INT64 score (TIMESTAMP(NANOS,true))", "points in time"),
        ("INT32 score (DECIMAL(4,2))", "decimals"),
        ("FIXED_LEN_BYTE_ARRAY (2) score (DECIMAL(4,2))", "decimals"),
    ] {
        write_scores(&path, form);
        let error = read_file(&path).unwrap().floats("score").unwrap_err().to_string();
        let expected = format!(
            "column `score`: expected texts, numbers, booleans, lists or structs, found {found}; write the column as floating-point \
             numbers or as texts"
        );
        assert!(error.ends_with(&expected), "{form}: {error}");
    }
    write_scores(&path, "INT64 score");
    assert_eq!(read_file(&path).unwrap().floats("score").unwrap(), [1.0, 5.0]);
}
