//! Lists and structs of a Parquet file, read record by record.

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Map};
use parquet::schema::types::Type;
use serde_json::{Number, Value};

use crate::builder::ColumnBuilder;
use crate::parquet_column::{Cells, CellsFault, FileBytes, NotRead};

/// One column.
pub struct NestedColumn {
    rows: RowIter<'static>,
}

impl NestedColumn {
    /// The column `name` of `file`.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn new(file: FileBytes, name: &str) -> Result<Self, ParquetError> {
        let reader = SerializedFileReader::new(file)?;
        let schema = reader.metadata().file_metadata().schema();
        let fields = schema.get_fields().iter().filter(|field| field.name() == name).cloned().collect();
        let projection = Type::group_type_builder(schema.name()).with_fields(fields).build()?;
        Ok(Self { rows: RowIter::from_file_into(Box::new(reader)).project(Some(projection))? })
    }

    /// The next cells, at most `limit`.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read(&mut self, limit: usize) -> Result<Cells, CellsFault> {
        let mut cells = ColumnBuilder::new(0);
        for row in self.rows.by_ref().take(limit) {
            let field = row?.into_columns().into_iter().next().map_or(Field::Null, |(_, field)| field);
            match json(&field) {
                Ok(cell) => cells.push(cell),
                Err(what) => return Ok(Cells::Unreadable(what)),
            }
        }
        Ok(Cells::Read(cells.finish()))
    }
}

/// The field as a JSON value.
///
/// # Errors
/// What the field holds, if that is not read.
fn json(field: &Field) -> Result<Value, NotRead> {
    Ok(match field {
        Field::Null => Value::Null,
        Field::Bool(cell) => Value::from(*cell),
        Field::Byte(cell) => Value::from(*cell),
        Field::Short(cell) => Value::from(*cell),
        Field::Int(cell) => Value::from(*cell),
        Field::Long(cell) => Value::from(*cell),
        Field::Date(_) => return Err(NotRead::holds("dates")),
        Field::TimeMillis(_) | Field::TimeMicros(_) => {
            return Err(NotRead::holds("times of day"));
        }
        Field::TimestampMillis(_) | Field::TimestampMicros(_) => {
            return Err(NotRead::holds("points in time"));
        }
        Field::UByte(cell) => Value::from(*cell),
        Field::UShort(cell) => Value::from(*cell),
        Field::UInt(cell) => Value::from(*cell),
        Field::ULong(cell) => Value::from(*cell),
        Field::Float16(cell) => float(f64::from(*cell)),
        Field::Float(cell) => float(f64::from(*cell)),
        Field::Double(cell) => float(*cell),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => match bytes.as_utf8() {
            Ok(text) => Value::from(text),
            Err(_) => return Err(NotRead::holds("bytes that are not UTF-8")),
        },
        Field::ListInternal(list) => list.elements().iter().map(json).collect::<Result<Value, _>>()?,
        Field::Group(group) => {
            let cells = group.get_column_iter().map(|(name, cell)| Ok((name.clone(), json(cell)?)));
            Value::Object(cells.collect::<Result<_, NotRead>>()?)
        }
        Field::MapInternal(map) => pairs(map)?,
        Field::Decimal(_) => return Err(NotRead::holds("decimals")),
    })
}

/// A map is an object if its keys are texts, else a list of pairs.
fn pairs(map: &Map) -> Result<Value, NotRead> {
    let keys: Vec<Value> = map.entries().iter().map(|(key, _)| json(key)).collect::<Result<_, _>>()?;
    let values: Vec<Value> = map.entries().iter().map(|(_, value)| json(value)).collect::<Result<_, _>>()?;
    let names: Option<Vec<&str>> = keys.iter().map(Value::as_str).collect();
    Ok(match names {
        Some(names) => Value::Object(names.into_iter().map(str::to_owned).zip(values).collect()),
        None => keys.into_iter().zip(values).map(|(key, value)| Value::Array(vec![key, value])).collect(),
    })
}

fn float(number: f64) -> Value {
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}
