//! Finds and reads files of outcomes, and checks them against their checksum.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use mteb_files::{folder_name, own_name};
use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use serde_json::Value;

use super::items::{CHECKSUM, FACTS, checksum};
use super::{ItemColumn, Items, OutcomesError};

/// Most bytes of a file.
const LARGEST: u64 = 4 << 30;

/// Cells that are read at a time.
const BATCH: usize = 1 << 14;

/// A file of outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// What it says that it was made from, as JSON.
    pub facts: String,
    /// Its table.
    pub items: Items,
}

/// Reads the file at `path`, all of it.
///
/// # Errors
/// If it cannot be read, is no file of outcomes, or its cells are not those that were written.
pub fn read_parquet(path: &Path) -> Result<Outcomes, OutcomesError> {
    let bytes = Bytes::from(mteb_files::read(path, LARGEST)?);
    // The library panics on some damaged files.
    let parsed = catch_unwind(AssertUnwindSafe(|| parse(bytes)));
    let contradictory = || OutcomesError::Damaged("its pages contradict each other or the footer".to_owned());
    parsed.map_err(|_| contradictory())?
}

/// What the footer of the file at `path` says that it was made from, as JSON; its cells are not
/// read.
///
/// # Errors
/// If it cannot be read, or is no file of outcomes.
pub fn read_facts(path: &Path) -> Result<String, OutcomesError> {
    let file = mteb_files::open(path)?;
    // The library panics on some damaged files.
    let said = catch_unwind(AssertUnwindSafe(|| footer_value(&SerializedFileReader::new(file)?, FACTS)));
    said.map_err(|_| OutcomesError::Damaged("its footer contradicts itself".to_owned()))?
}

fn footer_value<R: ChunkReader + 'static>(
    file: &SerializedFileReader<R>,
    key: &str,
) -> Result<String, OutcomesError> {
    let pairs = file.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let found = pairs.filter(|pair| pair.key == key).find_map(|pair| pair.value.clone());
    found.ok_or_else(|| OutcomesError::Damaged(format!("its footer does not say `{key}`")))
}

impl From<ParquetError> for OutcomesError {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

fn parse(bytes: Bytes) -> Result<Outcomes, OutcomesError> {
    let file = SerializedFileReader::new(bytes)?;
    let footer = file.metadata().file_metadata();
    let (facts, expected) = (footer_value(&file, FACTS)?, footer_value(&file, CHECKSUM)?);
    let mut items = Items::default();
    for (leaf, field) in footer.schema_descr().root_schema().get_fields().iter().enumerate() {
        items.columns.push((field.name().to_owned(), column(&file, leaf)?));
    }
    let rows = items.rows();
    if items.columns.iter().any(|(_, cells)| cells.len() != rows) || checksum(&items) != expected {
        return Err(OutcomesError::Damaged("its cells are not those that were written".to_owned()));
    }
    Ok(Outcomes { facts, items })
}

/// The cells of column number `leaf`.
fn column(file: &SerializedFileReader<Bytes>, leaf: usize) -> Result<ItemColumn, OutcomesError> {
    let schema = file.metadata().file_metadata().schema_descr();
    if leaf >= schema.num_columns() {
        return Err(OutcomesError::Damaged("its columns are nested in another way".to_owned()));
    }
    let description = schema.column(leaf);
    let is_list = description.max_rep_level() > 0;
    let mut cells = match (description.physical_type(), is_list) {
        (Physical::BYTE_ARRAY, true) => ItemColumn::Lists(Vec::new()),
        (Physical::BYTE_ARRAY, false) => ItemColumn::Text(mteb_data::Texts::new()),
        (Physical::INT64, false) => ItemColumn::Int(Vec::new()),
        (Physical::DOUBLE, false) => ItemColumn::Float(Vec::new()),
        (other, _) => return Err(OutcomesError::Damaged(format!("a column of {other}"))),
    };
    for group in 0..file.num_row_groups() {
        let reader = file.get_row_group(group)?.get_column_reader(leaf)?;
        match (&mut cells, reader) {
            (ItemColumn::Text(cells), ColumnReader::ByteArrayColumnReader(reader)) => {
                for_records(reader, |values, _, _| {
                    for value in values {
                        cells.push(text(value)?);
                    }
                    Ok(())
                })?;
            }
            (ItemColumn::Int(cells), ColumnReader::Int64ColumnReader(reader)) => {
                for_records(reader, |values, _, _| {
                    cells.extend(values);
                    Ok(())
                })?;
            }
            (ItemColumn::Float(cells), ColumnReader::DoubleColumnReader(reader)) => {
                for_records(reader, |values, defined, _| {
                    let mut values = values.iter();
                    let value = |level: &i16| (*level > 0).then(|| values.next()).flatten();
                    cells.extend(defined.iter().map(value).map(|value| value.copied().unwrap_or(f64::NAN)));
                    Ok(())
                })?;
            }
            (ItemColumn::Lists(cells), ColumnReader::ByteArrayColumnReader(reader)) => {
                for_records(reader, |values, defined, repeated| lists(cells, values, defined, repeated))?;
            }
            _ => return Err(OutcomesError::Damaged("a column of two types".to_owned())),
        }
    }
    Ok(cells)
}

fn lists(
    cells: &mut Vec<Vec<String>>,
    values: &[ByteArray],
    defined: &[i16],
    repeated: &[i16],
) -> Result<(), OutcomesError> {
    let mut values = values.iter();
    for (defined, repeated) in defined.iter().zip(repeated) {
        if *repeated == 0 {
            cells.push(Vec::new());
        }
        if let (Some(list), Some(value)) = (cells.last_mut(), (*defined > 0).then(|| values.next()).flatten())
        {
            list.push(text(value)?.to_owned());
        }
    }
    Ok(())
}

fn text(value: &ByteArray) -> Result<&str, OutcomesError> {
    value.as_utf8().map_err(|_| OutcomesError::Damaged("text that is not UTF-8".to_owned()))
}

/// Hands on the values of a column with their levels: how deep each is defined, and at which depth
/// it repeats.
fn for_records<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    mut take: impl FnMut(&[T::T], &[i16], &[i16]) -> Result<(), OutcomesError>,
) -> Result<(), OutcomesError> {
    loop {
        let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let read = reader.read_records(BATCH, Some(&mut defined), Some(&mut repeated), &mut values)?;
        if read.0 == 0 {
            return Ok(());
        }
        take(&values, &defined, &repeated)?;
    }
}

/// The file of outcomes of a unit in the folder `results` of a model:
/// `outcomes/<task>/<split>/<subset>.parquet`, by a name that no other unit has.
pub fn outcomes_file(results: &Path, task: &str, split: &str, subset: &str) -> PathBuf {
    below(results, [task, split, subset].map(own_name))
}

/// The file that holds the outcomes of a unit: that of its name, else one that an earlier version
/// left under a name that other units can have, if its footer says that it is of this unit.
pub fn find_outcomes(results: &Path, task: &str, split: &str, subset: &str) -> PathBuf {
    let own = outcomes_file(results, task, split, subset);
    let earlier = below(results, [task, split, subset].map(folder_name));
    let is_earlier = || own.symlink_metadata().is_err() && is_outcomes_of(&earlier, task, split, subset);
    if earlier != own && is_earlier() { earlier } else { own }
}

/// True if the file at `path`, and no link there, says that it holds the outcomes of this unit; its
/// cells are not looked at.
pub fn is_outcomes_of(path: &Path, task: &str, split: &str, subset: &str) -> bool {
    let facts = if path.is_symlink() { None } else { read_facts(path).ok() };
    let said: Value = facts.and_then(|facts| serde_json::from_str(&facts).ok()).unwrap_or_default();
    said["task"] == task && said["split"] == split && said["subset"] == subset
}

/// Folder of the outcomes in a folder of results.
pub const OUTCOMES: &str = "outcomes";

fn below(results: &Path, [task, split, subset]: [String; 3]) -> PathBuf {
    results.join(OUTCOMES).join(task).join(split).join(format!("{subset}.parquet"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::write_parquet;
    use super::*;

    fn items() -> Items {
        let mut items = Items::default();
        items.push("query", ItemColumn::Text(["q 1", "", "üñ"].into_iter().collect()));
        items.push("row", ItemColumn::Int(vec![0, -1, i64::MAX]));
        items.push("score", ItemColumn::Float(vec![0.1, -0.0, 1e-300]));
        let lists = vec![vec![], vec!["a".to_owned(), "b".to_owned()], vec![String::new()]];
        items.push("gold", ItemColumn::Lists(lists));
        items
    }

    fn read_back(bytes: &[u8]) -> Result<Outcomes, OutcomesError> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("default.parquet");
        fs::write(&path, bytes)?;
        read_parquet(&path)
    }

    #[test]
    fn what_was_written_is_read_as_it_was() {
        let bytes = write_parquet(&items(), "{\"model\": \"m\"}").unwrap();
        let found = read_back(&bytes).unwrap();
        assert_eq!((found.facts.as_str(), &found.items), ("{\"model\": \"m\"}", &items()));
        let mut undefined = Items::default();
        undefined.push("p-MRR", ItemColumn::Float(vec![f64::NAN, 0.5]));
        let found = read_back(&write_parquet(&undefined, "").unwrap()).unwrap().items;
        assert!(matches!(found.floats("p-MRR"), Ok([none, 0.5]) if none.is_nan()));
    }

    #[test]
    fn a_table_without_rows_and_one_of_many_batches_outlast_their_way_through_a_file() {
        for rows in [0, 1, 200_000] {
            let mut items = Items::default();
            items.push("row", ItemColumn::Int((0..rows).collect()));
            items.push("gold", ItemColumn::Text((0..rows).map(|row| (row % 7).to_string()).collect()));
            let lists = (0..rows).map(|row| vec!["x".to_owned(); row as usize % 3]).collect();
            items.push("labels", ItemColumn::Lists(lists));
            assert_eq!(read_back(&write_parquet(&items, "").unwrap()).unwrap().items, items, "{rows}");
        }
    }

    #[test]
    fn a_column_that_is_not_there_is_named() {
        assert_eq!(
            items().floats("query").unwrap_err().to_string(),
            "expected a column `query` of numbers, found: query, row, score, gold"
        );
    }

    #[test]
    fn a_file_of_others_is_refused() {
        assert_eq!(
            read_back(b"PAR1 and no more").unwrap_err().to_string(),
            "expected a Parquet file of outcomes, found it damaged or truncated: Parquet error: Invalid Parquet \
             file. Corrupt footer"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever one byte becomes, the cells are those that were written, or the file is
        /// refused.
        #[test]
        fn damage_is_never_read_as_something_else(place in 0.0f64..1.0, change in 1u8..) {
            let mut bytes = write_parquet(&items(), "{}").unwrap();
            let place = (place * bytes.len() as f64) as usize;
            bytes[place] ^= change;
            if let Ok(found) = read_back(&bytes) {
                prop_assert_eq!(found.items, items());
            }
            prop_assert!(read_back(&bytes[..place]).is_err());
        }
    }
}
