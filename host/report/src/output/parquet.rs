//! A table as a Parquet file: whole numbers, numbers and texts as such, shares as shares.

use std::collections::BTreeSet;

use mteb_items::outcomes::{ItemColumn, Items, OutcomesError, write_parquet};

use crate::grid::{Grid, Value};

/// The bytes of a Parquet file. A column is whole numbers where every cell is one, numbers where every cell is one or absent (null),
/// else texts, empty where there is none. Titles that occur again get a number, for readers find columns by their name.
///
/// # Errors
/// If the library refuses the table.
pub fn parquet(grid: &Grid) -> Result<Vec<u8>, OutcomesError> {
    let mut items = Items::default();
    let mut names = BTreeSet::new();
    for (place, title) in grid.titles.iter().enumerate() {
        let mut name = title.clone();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{title} ({number})");
        }
        items.push(name, column(grid.rows.iter().map(|row| &row[place])));
    }
    write_parquet(&items, "{}")
}

fn column<'a>(cells: impl Iterator<Item = &'a Value> + Clone) -> ItemColumn {
    let whole: Option<Vec<i64>> = cells
        .clone()
        .map(|cell| match cell {
            Value::Whole(number) => Some(*number),
            _ => None,
        })
        .collect();
    if let Some(whole) = whole {
        return ItemColumn::Int(whole);
    }
    let numbers: Option<Vec<f64>> = cells
        .clone()
        .map(|cell| match cell {
            Value::None => Some(f64::NAN),
            Value::Whole(number) => Some(*number as f64),
            Value::Number(number) | Value::Measured(number) | Value::Share(number) => Some(*number),
            Value::Text(_) => None,
        })
        .collect();
    match numbers {
        Some(numbers) => ItemColumn::Float(numbers),
        None => ItemColumn::Text(cells.map(text).collect()),
    }
}

fn text(cell: &Value) -> String {
    match cell {
        Value::None => String::new(),
        Value::Text(text) => text.clone(),
        Value::Whole(number) => number.to_string(),
        Value::Number(number) | Value::Measured(number) | Value::Share(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_kind_and_a_name_of_its_own() {
        let mut grid = Grid::new(["Model", "Mean", "Rank", "Mean"]);
        grid.rows.push(vec!["a".into(), Value::Share(0.5), Value::Whole(1), Value::None]);
        grid.rows.push(vec!["=b".into(), Value::None, Value::Whole(2), Value::Whole(3)]);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), parquet(&grid).unwrap()).unwrap();
        let items = mteb_items::outcomes::read_parquet(file.path()).unwrap().items;
        let names: Vec<&str> = items.columns.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Model", "Mean", "Rank", "Mean (2)"]);
        assert_eq!(items.texts("Model").unwrap().iter().collect::<Vec<_>>(), ["a", "=b"]);
        assert_eq!(items.floats("Mean").unwrap()[0], 0.5);
        assert!(items.floats("Mean").unwrap()[1].is_nan());
        assert_eq!(items.ints("Rank").unwrap(), [1, 2]);
    }
}
