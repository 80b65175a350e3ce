//! Parquet files: flat columns straight into their buffers, nested ones through records.

use std::fs::File;

use parquet::basic::{ConvertedType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{ColumnDescPtr, Type};
use serde_json::{Map, Value};

use crate::builder::ColumnBuilder;
use crate::{Column, DataError, Table};

/// Values read at a time.
const CHUNK: usize = 8192;

/// Reads all columns of a file; `place` names it in messages.
pub fn read_parquet(place: &str, file: File) -> Result<Table, DataError> {
    let fault = |error: ParquetError| DataError::Malformed {
        place: place.to_owned(),
        message: format!("expected a Parquet file, found it damaged or cut: {error}; fetch it again"),
    };
    let reader = SerializedFileReader::new(file).map_err(fault)?;
    let root = reader.metadata().file_metadata().schema_descr().root_schema_ptr();
    let leaves = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    let mut columns = Vec::new();
    for field in root.get_fields() {
        let name = field.name();
        let own: Vec<usize> = (0..leaves.len())
            .filter(|&leaf| leaves[leaf].path().parts().first().is_some_and(|part| part == name))
            .collect();
        let column = match own.as_slice() {
            [leaf] if leaves[*leaf].max_rep_level() == 0 && field.is_primitive() => {
                read_flat(&reader, *leaf, &leaves[*leaf]).map_err(fault)?
            }
            _ => read_nested(&reader, name).map_err(fault)?,
        };
        columns.push((name.to_owned(), column));
    }
    Table::new(place, columns)
}

fn read_flat(
    reader: &SerializedFileReader<File>,
    leaf: usize,
    description: &ColumnDescPtr,
) -> Result<Column, ParquetError> {
    let mut builder = ColumnBuilder::new(0);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        let nullable = description.max_def_level() > 0;
        let is_text = matches!(description.converted_type(), ConvertedType::UTF8 | ConvertedType::NONE);
        match group.get_column_reader(leaf)? {
            ColumnReader::BoolColumnReader(column) => {
                push_all(column, nullable, &mut builder, |cell| Ok(Value::from(*cell)))?;
            }
            ColumnReader::Int32ColumnReader(column) => {
                push_all(column, nullable, &mut builder, |cell| Ok(Value::from(*cell)))?;
            }
            ColumnReader::Int64ColumnReader(column) => {
                push_all(column, nullable, &mut builder, |cell| Ok(Value::from(*cell)))?;
            }
            ColumnReader::FloatColumnReader(column) => {
                push_all(column, nullable, &mut builder, |cell| Ok(Value::from(f64::from(*cell))))?;
            }
            ColumnReader::DoubleColumnReader(column) => {
                push_all(column, nullable, &mut builder, |cell| Ok(Value::from(*cell)))?;
            }
            ColumnReader::ByteArrayColumnReader(column) if is_text => {
                push_all(column, nullable, &mut builder, |cell| {
                    cell.as_utf8().map(Value::from).map_err(|_| {
                        ParquetError::General(format!(
                            "column `{}` holds bytes that are no UTF-8",
                            description.name()
                        ))
                    })
                })?;
            }
            _ => {
                let kind: Physical = description.physical_type();
                let message =
                    format!("column `{}` has the type {kind}, which is not read", description.name());
                return Err(ParquetError::General(message));
            }
        }
    }
    Ok(builder.finish())
}

fn push_all<T: DataType>(
    mut column: ColumnReaderImpl<T>,
    nullable: bool,
    builder: &mut ColumnBuilder,
    value: impl Fn(&T::T) -> Result<Value, ParquetError>,
) -> Result<(), ParquetError> {
    let (mut cells, mut levels) = (Vec::new(), Vec::new());
    loop {
        cells.clear();
        levels.clear();
        let (records, _, _) = column.read_records(CHUNK, Some(&mut levels), None, &mut cells)?;
        if records == 0 {
            return Ok(());
        }
        let mut next = cells.iter();
        for record in 0..records {
            let present = !nullable || levels.get(record).is_some_and(|&level| level > 0);
            match next.next_if_present(present) {
                Some(cell) => builder.push(value(cell)?),
                None => builder.push(Value::Null),
            }
        }
    }
}

/// Takes the next value only where there is one.
trait NextIfPresent: Iterator {
    fn next_if_present(&mut self, present: bool) -> Option<Self::Item>;
}

impl<I: Iterator> NextIfPresent for I {
    fn next_if_present(&mut self, present: bool) -> Option<Self::Item> {
        if present { self.next() } else { None }
    }
}

fn read_nested(reader: &SerializedFileReader<File>, name: &str) -> Result<Column, ParquetError> {
    let schema = reader.metadata().file_metadata().schema();
    let fields = schema.get_fields().iter().filter(|field| field.name() == name).cloned().collect();
    let projection = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
    let mut builder = ColumnBuilder::new(0);
    for row in reader.get_row_iter(Some(projection))? {
        let row = row?;
        let cell = row.get_column_iter().next().map_or(Value::Null, |(_, field)| json(field));
        builder.push(cell);
    }
    Ok(builder.finish())
}

fn json(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(cell) => Value::from(*cell),
        Field::Byte(cell) => Value::from(*cell),
        Field::Short(cell) => Value::from(*cell),
        Field::Int(cell) => Value::from(*cell),
        Field::Long(cell) => Value::from(*cell),
        Field::UByte(cell) => Value::from(*cell),
        Field::UShort(cell) => Value::from(*cell),
        Field::UInt(cell) => Value::from(*cell),
        Field::ULong(cell) => Value::from(*cell),
        Field::Float(cell) => Value::from(f64::from(*cell)),
        Field::Double(cell) => Value::from(*cell),
        Field::Str(text) => Value::from(text.as_str()),
        Field::ListInternal(list) => Value::Array(list.elements().iter().map(json).collect()),
        Field::Group(group) => {
            let cells = group.get_column_iter().map(|(name, cell)| (name.clone(), json(cell)));
            Value::Object(cells.collect::<Map<_, _>>())
        }
        other => Value::from(other.to_string()),
    }
}
