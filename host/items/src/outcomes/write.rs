//! Tables as Parquet files.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::items::{CHECKSUM, FACTS, checksum};
use super::{ItemColumn, Items, OutcomesError};

/// Cells that are packed at a time.
const BATCH: usize = 1 << 16;

/// The bytes of a Parquet file with `items`, one row group of all rows; `facts` says what it was made from, as JSON, and stands
/// in the footer.
///
/// Texts are required, numbers are null where there is none (NaN), lists are required lists of required texts.
///
/// # Errors
/// If the library refuses the table: of more cells than a row group can have.
pub fn write_parquet(items: &Items, facts: &str) -> Result<Vec<u8>, OutcomesError> {
    pack(items, facts).map_err(OutcomesError::Packing)
}

fn pack(items: &Items, facts: &str) -> Result<Vec<u8>, ParquetError> {
    let fields = items.columns.iter().map(|(name, cells)| field(name, cells)).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("outcomes").with_fields(fields).build()?);
    let said = [(FACTS, facts.to_owned()), (CHECKSUM, checksum(items))];
    let said = said.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_created_by("mteb-host".to_owned())
        .set_key_value_metadata(Some(said))
        .build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (_, cells) in &items.columns {
        column(&mut group, cells)?;
    }
    group.close()?;
    file.into_inner()
}

fn field(name: &str, cells: &ItemColumn) -> Result<Arc<Type>, ParquetError> {
    let text = |name| {
        Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_repetition(Repetition::REQUIRED)
            .build()
            .map(Arc::new)
    };
    match cells {
        ItemColumn::Text(_) => text(name),
        ItemColumn::Int(_) => {
            let number = Type::primitive_type_builder(name, Physical::INT64);
            number.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
        }
        ItemColumn::Float(_) => {
            let number = Type::primitive_type_builder(name, Physical::DOUBLE);
            number.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        }
        ItemColumn::Lists(_) => {
            let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
            let list = list.with_fields(vec![text("element")?]).build()?;
            let column = Type::group_type_builder(name).with_repetition(Repetition::REQUIRED);
            let column = column.with_logical_type(Some(LogicalType::List));
            column.with_fields(vec![Arc::new(list)]).build().map(Arc::new)
        }
    }
}

/// The levels of Parquet: how deep a cell is defined, and at which depth it repeats.
type Levels = (Option<Vec<i16>>, Option<Vec<i16>>);

fn column(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, cells: &ItemColumn) -> Result<(), ParquetError> {
    match cells {
        ItemColumn::Text(cells) => for_batches::<ByteArrayType>(group, cells.len(), |rows| {
            (cells.range(rows).map(ByteArray::from).collect(), (None, None))
        }),
        ItemColumn::Int(cells) => {
            for_batches::<Int64Type>(group, cells.len(), |rows| (cells[rows].to_vec(), (None, None)))
        }
        ItemColumn::Float(cells) => for_batches::<DoubleType>(group, cells.len(), |rows| {
            let cells = &cells[rows];
            let levels = cells.iter().map(|cell| i16::from(!cell.is_nan())).collect();
            (cells.iter().copied().filter(|cell| !cell.is_nan()).collect(), (Some(levels), None))
        }),
        ItemColumn::Lists(cells) => for_batches::<ByteArrayType>(group, cells.len(), |rows| {
            let (mut defined, mut repeated) = (Vec::new(), Vec::new());
            for list in &cells[rows.clone()] {
                // An empty list has one place, at which nothing is defined.
                defined.extend(std::iter::repeat_n(i16::from(!list.is_empty()), list.len().max(1)));
                repeated.extend((0..list.len().max(1)).map(|place| i16::from(place > 0)));
            }
            let values = cells[rows].iter().flatten().map(|cell| ByteArray::from(cell.as_str())).collect();
            (values, (Some(defined), Some(repeated)))
        }),
    }
}

fn for_batches<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: usize,
    cells: impl Fn(std::ops::Range<usize>) -> (Vec<T::T>, Levels),
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    let writer = column.typed::<T>();
    for start in (0..rows).step_by(BATCH) {
        let (values, (defined, repeated)) = cells(start..(start + BATCH).min(rows));
        writer.write_batch(&values, defined.as_deref(), repeated.as_deref())?;
    }
    column.close()
}
