//! Data files that are parsed: JSON lines and Parquet, beside the libraries that parse them at their fastest.

#[path = "../hot_paths/files.rs"]
#[allow(dead_code, reason = "it is shared with another example")]
mod made_files;

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::Path;

use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::ByteArrayType;
use parquet::file::reader::{FileReader, SerializedFileReader};
use rayon::prelude::*;
use serde::Deserialize;

use crate::{Ceiling, Fault, Ground, Part, Work, bytes_of, group_digits};

const JSON: &str = "JSON, parsed";
const PARQUET: &str = "Parquet, unpacked";

/// Cells of a column that are read at a time.
const CELLS: usize = 8192;

/// The texts of a line, where they have no escapes as pieces of it.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, rename = "_id")]
    id: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// The ceilings and the parts.
pub fn prepare(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
    let part = |name, (mut work, file, ceiling): (Work, &str, &'static str)| {
        let (bytes, rows) = (bytes_of(&ground.path(file))?, work()?);
        let what = format!("{} rows, {:.1} MB", group_digits(rows), bytes / 1e6);
        Ok::<_, Fault>(Part { name, what, needs: vec![(ceiling, bytes)], work })
    };
    let json = (made_files::parse_jsonl(&ground.folder)?, "corpus.jsonl", JSON);
    let parquet = (made_files::parse_parquet(&ground.folder)?, "corpus.parquet", PARQUET);
    let parts = vec![part("parse, JSON lines", json)?, part("parse, Parquet", parquet)?];
    Ok((
        vec![json_ceiling(&ground.path("corpus.jsonl"))?, parquet_ceiling(&ground.path("corpus.parquet"))?],
        parts,
    ))
}

/// Lines that are in memory, on all threads, into structures that borrow from them.
fn json_ceiling(path: &Path) -> Result<Ceiling, Fault> {
    let lines: Vec<String> = fs::read_to_string(path)?.lines().map(str::to_owned).collect();
    let letters = |line: &String| {
        let Line { id, title, text } = serde_json::from_str(line)?;
        Ok::<usize, serde_json::Error>(id.len() + title.len() + text.len())
    };
    let work: Work = Box::new(move || {
        let found: Result<Vec<usize>, serde_json::Error> = lines.par_iter().map(letters).collect();
        Ok(found?.iter().sum())
    });
    Ok(Ceiling { name: JSON, unit: "bytes", amount: bytes_of(path)?, work })
}

/// Every column by the library alone, one a thread.
fn parquet_ceiling(path: &Path) -> Result<Ceiling, Fault> {
    let (amount, path) = (bytes_of(path)?, path.to_owned());
    let columns = SerializedFileReader::new(File::open(&path)?)?.metadata().row_group(0).num_columns();
    let work: Work = Box::new(move || {
        let read = |column| unpack(&path, column).map_err(|fault| fault.to_string());
        let found: Result<Vec<usize>, String> = (0..columns).into_par_iter().map(read).collect();
        Ok(found?.iter().sum())
    });
    Ok(Ceiling { name: PARQUET, unit: "bytes", amount, work })
}

/// Bytes of all cells of a column of texts.
fn unpack(path: &Path, column: usize) -> Result<usize, Fault> {
    let file = SerializedFileReader::new(File::open(path)?)?;
    let mut bytes = 0;
    for group in 0..file.num_row_groups() {
        let reader = file.get_row_group(group)?.get_column_reader(column)?;
        let mut reader = get_typed_column_reader::<ByteArrayType>(reader);
        let (mut cells, mut levels) = (Vec::new(), Vec::new());
        loop {
            cells.clear();
            levels.clear();
            let (records, ..) = reader.read_records(CELLS, Some(&mut levels), None, &mut cells)?;
            bytes += cells.iter().map(|cell| cell.len()).sum::<usize>();
            if records == 0 {
                break;
            }
        }
    }
    Ok(bytes)
}
