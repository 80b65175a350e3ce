//! Data files: a corpus as JSON lines, and the same as Parquet.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use mteb_data::read_file;
use mteb_measures::random::SplitMix64;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::json;

use crate::{Fault, Work, made};

pub fn parse_jsonl(folder: &Path) -> Result<Work, Fault> {
    let path = folder.join("corpus.jsonl");
    let lines = corpus(15_000).map(|[id, title, text]| json!({"_id": id, "title": title, "text": text}));
    fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>())?;
    Ok(Box::new(move || Ok(read_file(&path)?.rows())))
}

pub fn parse_parquet(folder: &Path) -> Result<Work, Fault> {
    const SCHEMA: &str = "message corpus {
        OPTIONAL BYTE_ARRAY _id (UTF8); OPTIONAL BYTE_ARRAY title (UTF8); OPTIONAL BYTE_ARRAY text (UTF8);
    }";
    let path = folder.join("corpus.parquet");
    let rows: Vec<[String; 3]> = corpus(12_000).collect();
    let compression = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let properties = WriterProperties::builder().set_compression(compression).build();
    let schema = parse_message_type(SCHEMA)?;
    let mut writer = SerializedFileWriter::new(File::create(&path)?, Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for index in 0..3 {
        let mut column = group.next_column()?.ok_or("expected a column")?;
        let cells: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row[index].as_str())).collect();
        let levels = vec![1; cells.len()];
        column.typed::<ByteArrayType>().write_batch(&cells, Some(&levels), None)?;
        column.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(Box::new(move || Ok(read_file(&path)?.rows())))
}

/// Id, title and text of so many documents; every tenth text has quotes and letters beyond ASCII.
fn corpus(rows: usize) -> impl Iterator<Item = [String; 3]> {
    let mut random = SplitMix64::new(6);
    (0..rows).map(move |row| {
        let (title, mut text) = (made::text(&mut random, 4), made::text(&mut random, 40));
        if row % 10 == 0 {
            text.push_str(" \u{201c}kata\u{201d} \"é\"\n");
        }
        [format!("doc-{row}"), title, text]
    })
}
