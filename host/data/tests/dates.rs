//! Dates, times and decimals of Parquet are no numbers: whoever needs numbers is told what the column holds.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use mteb_data::read_file;
use parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// Writes two rows of a column `score` of the type that `form` declares.
fn write(path: &Path, form: &str) {
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
        write(&path, form);
        let error = read_file(&path).unwrap().floats("score").unwrap_err().to_string();
        let expected = format!(
            "column `score`: expected texts, numbers, booleans, lists or structs, found {found}; write the column as floating-point \
             numbers or as texts"
        );
        assert!(error.ends_with(&expected), "{form}: {error}");
    }
    write(&path, "INT64 score");
    assert_eq!(read_file(&path).unwrap().floats("score").unwrap(), [1.0, 5.0]);
}
