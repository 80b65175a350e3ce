//! A table as JSON: a list of objects.

use serde_json::{Map, Value as Json};

use crate::grid::{Grid, Value};

/// One object a row, keyed by the titles.
pub fn grid_json(grid: &Grid) -> Json {
    let row = |row: &Vec<Value>| -> Json {
        grid.titles
            .iter()
            .zip(row)
            .map(|(title, value)| (title.clone(), cell(value)))
            .collect::<Map<_, _>>()
            .into()
    };
    grid.rows.iter().map(row).collect()
}

fn cell(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Text(text) => text.as_str().into(),
        Value::Whole(number) => (*number).into(),
        Value::Number(number) | Value::Measured(number) | Value::Share(number) => (*number).into(),
    }
}
