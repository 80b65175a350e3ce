//! Columns of a Parquet file that are neither nested nor repeated.

use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::builder::ColumnBuilder;
use crate::parquet_column::{Cells, CellsFault, FileBytes, NotRead};
use crate::{Column, Texts};

/// Values decoded at a time.
const BATCH: usize = 8192;

/// One column, read row group by row group.
pub struct FlatColumn {
    file: Arc<SerializedFileReader<FileBytes>>,
    leaf: usize,
    kind: Kind,
    /// Definition level of a cell that is not null.
    max_level: i16,
    /// Row groups that were opened, and the reader of the last of them.
    opened: usize,
    current: Option<ColumnReader>,
    /// Cells that were read before.
    done: usize,
}

/// How values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Unsigned,
    /// Declared as text.
    Text,
    /// Not declared as anything; some writers leave texts so.
    Bytes,
}

impl FlatColumn {
    /// Column number `leaf` of `file`.
    ///
    /// # Errors
    /// What the column holds, if that is not read.
    pub fn new(file: Arc<SerializedFileReader<FileBytes>>, leaf: usize) -> Result<Self, NotRead> {
        let description = file.metadata().file_metadata().schema_descr().column(leaf);
        let converted = description.converted_type();
        if let Some(what) = time(description.logical_type_ref(), converted) {
            return Err(NotRead::holds(what));
        }
        let kind = match (description.physical_type(), converted) {
            (Physical::BOOLEAN, _) => Kind::Plain,
            (_, ConvertedType::DECIMAL) => return Err(NotRead::holds("decimals")),
            (
                Physical::INT32 | Physical::INT64,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => Kind::Unsigned,
            (Physical::INT32 | Physical::INT64, _) => Kind::Plain,
            (Physical::FLOAT | Physical::DOUBLE, _) => Kind::Plain,
            (Physical::BYTE_ARRAY, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
                Kind::Text
            }
            (Physical::BYTE_ARRAY, ConvertedType::NONE) => Kind::Bytes,
            (physical, ConvertedType::NONE) => return Err(NotRead(physical.to_string())),
            (physical, converted) => return Err(NotRead(format!("{physical} as {converted}"))),
        };
        let max_level = description.max_def_level();
        Ok(Self { file, leaf, kind, max_level, opened: 0, current: None, done: 0 })
    }

    /// The next cells, at most `limit`.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read(&mut self, limit: usize) -> Result<Cells, CellsFault> {
        let mut cells = ColumnBuilder::new(0);
        while cells.len() < limit {
            match self.read_batch((limit - cells.len()).min(BATCH)) {
                Ok(Some(batch)) => cells.append(batch),
                Ok(None) => break,
                Err(CellsFault::NotUtf8(row)) if self.kind == Kind::Bytes => {
                    let row = self.done + cells.len() + row + 1;
                    return Ok(Cells::Unreadable(NotRead(format!("bytes that are not UTF-8 (row {row})"))));
                }
                Err(CellsFault::NotUtf8(row)) => {
                    return Err(CellsFault::NotUtf8(cells.len() + row));
                }
                Err(fault) => return Err(fault),
            }
        }
        self.done += cells.len();
        Ok(Cells::Read(cells.finish()))
    }

    /// Some of the next cells; `None` at the end of the file.
    fn read_batch(&mut self, wanted: usize) -> Result<Option<Column>, CellsFault> {
        loop {
            let Some(reader) = &mut self.current else {
                if self.opened == self.file.num_row_groups() {
                    return Ok(None);
                }
                let group = self.file.get_row_group(self.opened)?;
                self.current = Some(group.get_column_reader(self.leaf)?);
                self.opened += 1;
                continue;
            };
            match read_typed(reader, self.kind, self.max_level, wanted)? {
                Some(column) => return Ok(Some(column)),
                None => self.current = None,
            }
        }
    }
}

/// What a column of dates or times holds: numbers that mean something else than their value.
fn time(logical: Option<&LogicalType>, converted: ConvertedType) -> Option<&'static str> {
    match (logical, converted) {
        (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => Some("dates"),
        (Some(LogicalType::Time { .. }), _)
        | (_, ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS) => Some("times of day"),
        (Some(LogicalType::Timestamp { .. }), _)
        | (_, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS) => Some("points in time"),
        _ => None,
    }
}

fn read_typed(
    reader: &mut ColumnReader,
    kind: Kind,
    max_level: i16,
    wanted: usize,
) -> Result<Option<Column>, CellsFault> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => read_records(reader, max_level, wanted, |values| {
            Ok(Column::Any(values.into_iter().map(Value::Bool).collect()))
        }),
        ColumnReader::Int32ColumnReader(reader) => read_records(reader, max_level, wanted, |values| {
            let unsigned = kind == Kind::Unsigned;
            let widen =
                |value: i32| if unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) };
            Ok(Column::Int(values.into_iter().map(widen).collect()))
        }),
        ColumnReader::Int64ColumnReader(reader) => read_records(reader, max_level, wanted, |values| {
            if kind == Kind::Plain {
                return Ok(Column::Int(values));
            }
            let mut column = ColumnBuilder::new(0);
            values.into_iter().for_each(|value| column.push_unsigned(value.cast_unsigned()));
            Ok(column.finish())
        }),
        ColumnReader::FloatColumnReader(reader) => read_records(reader, max_level, wanted, |values| {
            Ok(Column::Float(values.into_iter().map(f64::from).collect()))
        }),
        ColumnReader::DoubleColumnReader(reader) => {
            read_records(reader, max_level, wanted, |values| Ok(Column::Float(values)))
        }
        ColumnReader::ByteArrayColumnReader(reader) => read_records(reader, max_level, wanted, texts),
        _ => {
            Err(ParquetError::General("a column has a different type from the one in the footer".to_owned())
                .into())
        }
    }
}

/// At most `wanted` cells; `None` at the end of the row group.
fn read_records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    max_level: i16,
    wanted: usize,
    convert: impl FnOnce(Vec<T::T>) -> Result<Column, CellsFault>,
) -> Result<Option<Column>, CellsFault> {
    let (mut values, mut levels) = (Vec::with_capacity(wanted), Vec::new());
    let (rows, _, _) = reader.read_records(wanted, Some(&mut levels), None, &mut values)?;
    if rows == 0 {
        return Ok(None);
    }
    let present = |level: &i16| *level == max_level;
    if values.len() == rows {
        return convert(values).map(Some);
    }
    let dense = convert(values).map_err(|fault| match fault {
        CellsFault::NotUtf8(value) => {
            let mut rows = (0..levels.len()).filter(|&row| present(&levels[row]));
            CellsFault::NotUtf8(rows.nth(value).unwrap_or_default())
        }
        fault => fault,
    })?;
    let mut next = 0..dense.len();
    let cells = levels.iter().map(|level| match present(level).then(|| next.next()).flatten() {
        Some(value) => dense.value(value),
        None => Value::Null,
    });
    Ok(Some(Column::Any(cells.collect())))
}

fn texts(values: Vec<ByteArray>) -> Result<Column, CellsFault> {
    let mut bytes = Vec::with_capacity(values.iter().map(ByteArray::len).sum());
    let mut ends = Vec::with_capacity(values.len());
    for value in &values {
        bytes.extend_from_slice(value.data());
        ends.push(bytes.len());
    }
    Texts::from_bytes(bytes, ends).map(Column::Text).map_err(CellsFault::NotUtf8)
}
