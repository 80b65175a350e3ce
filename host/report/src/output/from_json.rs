//! Tables of JSON: objects as rows, the fields of what is nested as columns.

use serde_json::{Map, Value as Json};

use crate::grid::{Grid, Value};

/// A row an object, a column a field: `{"speed": {"median": 1}}` gives the column `speed.median`. What is no list gives one row.
/// The columns `titles` come first, and are there where no row has them.
pub fn rows_grid(titles: &[&str], rows: &Json) -> Grid {
    let rows: Vec<Map<String, Json>> = match rows {
        Json::Array(rows) => rows.iter().map(flat).collect(),
        row => vec![flat(row)],
    };
    let mut grid = Grid::new(titles.iter().copied());
    for key in rows.iter().flat_map(Map::keys) {
        if !grid.titles.contains(key) {
            grid.titles.push(key.clone());
        }
    }
    grid.rows =
        rows.iter().map(|row| grid.titles.iter().map(|title| cell(row.get(title))).collect()).collect();
    grid
}

/// A row a field, with its name and its value.
pub fn fields_grid(object: &Json) -> Grid {
    let mut grid = Grid::new(["field", "value"]);
    for (name, value) in &flat(object) {
        grid.rows.push(vec![name.as_str().into(), cell(Some(value))]);
    }
    grid
}

/// The fields of an object and of the objects in it, under names joined by points.
fn flat(object: &Json) -> Map<String, Json> {
    let mut fields = Map::new();
    gather("", object, &mut fields);
    fields
}

fn gather(name: &str, value: &Json, fields: &mut Map<String, Json>) {
    match value {
        Json::Object(inner) if !inner.is_empty() => {
            for (key, value) in inner {
                let below = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                gather(&below, value, fields);
            }
        }
        _ => {
            let name = if name.is_empty() { "value" } else { name };
            fields.insert(name.to_owned(), value.clone());
        }
    }
}

fn cell(value: Option<&Json>) -> Value {
    match value {
        None | Some(Json::Null) => Value::None,
        Some(Json::Number(number)) => number
            .as_i64()
            .map(Value::Whole)
            .or_else(|| number.as_f64().map(Value::Measured))
            .unwrap_or(Value::None),
        Some(value) => Value::Text(text(value)),
    }
}

/// Lists of texts and numbers with commas; what is deeper as JSON.
fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Object(object) if object.is_empty() => String::new(),
        Json::Array(items) if !items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().map(text).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::output::csv;

    #[test]
    fn objects_are_rows_and_what_is_nested_is_columns() {
        let rows = json!([
            {"name": "a", "speed": {"median": 1.5, "passes": [1, 2]}, "note": null},
            {"name": "b", "speed": {"median": 2}, "last": true, "prompts": {}},
        ]);
        let expected = "name,speed.median,speed.passes,note,last,prompts\na,1.5,\"1, 2\",,,\nb,2,,,true,\n";
        assert_eq!(csv(&rows_grid(&[], &rows)), expected);
    }

    #[test]
    fn an_object_is_a_row_a_field() {
        let object = json!({"card": {"name": "x", "splits": [{"a": 1}]}, "file": "=1"});
        let expected = "field,value\ncard.name,x\ncard.splits,\"[{\"\"a\"\":1}]\"\nfile,\"'=1\"\n";
        assert_eq!(csv(&fields_grid(&object)), expected);
    }
}
