//! JSON: tables as lists of objects, tables made of JSON, and the board with the score of every
//! task.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::grid::{Grid, Value};
use crate::table::{Board, Row};

/// One object a row, keyed by the titles.
pub fn grid_json(grid: &Grid) -> Json {
    let row = |row: &Vec<Value>| -> Json {
        grid.titles
            .iter()
            .zip(row)
            .map(|(title, value)| (title.clone(), to_json(value)))
            .collect::<Map<_, _>>()
            .into()
    };
    grid.rows.iter().map(row).collect()
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Text(text) => text.as_str().into(),
        Value::Whole(number) => (*number).into(),
        Value::Number(number) | Value::Measured(number) | Value::Share(number) => (*number).into(),
    }
}

/// A row an object, a column a field: `{"speed": {"median": 1}}` gives the column `speed.median`. What is no list gives one row.
/// The columns `titles` come first, and are there where no row has them.
pub fn rows_grid(titles: &[&str], rows: &Json) -> Grid {
    let rows: Vec<Map<String, Json>> = match rows {
        Json::Array(rows) => rows.iter().map(flatten).collect(),
        row => vec![flatten(row)],
    };
    let mut grid = Grid::new(titles.iter().copied());
    for key in rows.iter().flat_map(Map::keys) {
        if !grid.titles.contains(key) {
            grid.titles.push(key.clone());
        }
    }
    grid.rows =
        rows.iter().map(|row| grid.titles.iter().map(|title| to_cell(row.get(title))).collect()).collect();
    grid
}

/// A row a field, with its name and its value.
pub fn fields_grid(object: &Json) -> Grid {
    let mut grid = Grid::new(["field", "value"]);
    for (name, value) in &flatten(object) {
        grid.rows.push(vec![name.as_str().into(), to_cell(Some(value))]);
    }
    grid
}

/// The fields of an object and of the objects in it, under names joined by points.
fn flatten(object: &Json) -> Map<String, Json> {
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

fn to_cell(value: Option<&Json>) -> Value {
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

/// A list of rows, best model first.
pub fn board_json(board: &Board) -> Json {
    let common: Vec<&str> =
        board.common.iter().map(|number| board.columns[*number].task.name.as_str()).collect();
    Json::Array(board.rows.iter().map(|row| row_json(board, row, &common)).collect())
}

fn row_json(board: &Board, row: &Row, common: &[&str]) -> Json {
    // JSON has no paths that are no UTF-8.
    let folders: Vec<String> = row.places.iter().map(|place| place.display().to_string()).collect();
    let cells = || row.cells.iter().zip(&board.columns);
    let tasks: BTreeMap<&str, Option<f64>> =
        cells().map(|(cell, column)| (column.task.name.as_str(), cell.complete)).collect();
    let types: BTreeMap<&str, Option<f64>> =
        board.types.iter().map(String::as_str).zip(row.types.iter().copied()).collect();
    let ends =
        row.type_intervals.iter().map(|interval| interval.map(|interval| [interval.low, interval.high]));
    let type_intervals: BTreeMap<&str, Option<[f64; 2]>> =
        board.types.iter().map(String::as_str).zip(ends).collect();
    let languages: Map<String, Json> = board
        .languages
        .iter()
        .zip(&row.languages)
        .map(|(language, mean)| (language.code.clone(), (*mean).into()))
        .collect();
    let means: Map<String, Json> = board
        .groups
        .iter()
        .zip(&row.groups)
        .filter(|(group, _)| group.grouping.is_none())
        .map(|(mean, score)| (mean.label.clone(), (*score).into()))
        .collect();
    let missing: Vec<Json> = cells()
        .filter(|(cell, _)| cell.complete.is_none())
        .map(|(cell, column)| {
            json!({ "task": column.task.name, "units": cell.units.len(), "missing": cell.missing(), "undefined": cell.undefined })
        })
        .collect();
    let notes: Vec<Json> = cells()
        .filter(|(cell, _)| !cell.notes.is_empty())
        .map(|(cell, column)| {
            let notes: Vec<String> = cell.notes.iter().map(ToString::to_string).collect();
            json!({ "task": column.task.name, "counted": cell.is_marked, "notes": notes })
        })
        .collect();
    let part = board.part.as_ref().map(|part| {
        json!({ "benchmark": board.name, "tasks": part.tasks, "units": part.units, "absent": part.absent })
    });
    json!({
        "part_of": part,
        "rank": row.rank,
        "reference_rank": row.reference_rank,
        "model": row.name,
        "revision": row.revisions.join(", "),
        "experiment": row.experiment,
        "folders": folders,
        "is_known": row.is_known,
        "zero_shot": row.zero_shot,
        "parameters": row.facts.parameters,
        "dimension": row.facts.dimension,
        "max_tokens": row.facts.max_tokens,
        "measured": costs_json(row),
        "mean_task": row.mean,
        "mean_task_interval": row.interval.map(|interval| [interval.low, interval.high]),
        "mean_task_interval_items": row.item_interval.map(|interval| [interval.low, interval.high]),
        "rank_interval": row.ranks.map(|(best, worst)| [best, worst]),
        "tie_group": row.group,
        "groups_and_ranks_over": board.over.name(),
        "mean_task_type": row.mean_of_types,
        "mean_task_type_interval": row.interval_of_types.map(|interval| [interval.low, interval.high]),
        "mean_common": row.common_mean,
        "common_tasks": common,
        "task_types": types,
        "task_type_intervals": type_intervals,
        "means": means,
        "groups": groups_json(board, row),
        "languages": languages,
        "tasks": tasks,
        "missing": missing,
        "other_data": notes,
    })
}

/// The mean of each group, by grouping and label.
fn groups_json(board: &Board, row: &Row) -> Json {
    let mut groupings: Map<String, Json> = Map::new();
    for (group, mean) in board.groups.iter().zip(&row.groups) {
        if let Some(grouping) = &group.grouping {
            let grouping = groupings.entry(grouping.clone()).or_insert_with(|| json!({}));
            grouping[&group.label] = (*mean).into();
        }
    }
    Json::Object(groupings)
}

/// What its results have cost, as they state it; null where they do not.
fn costs_json(row: &Row) -> Json {
    let found = row.footprint();
    json!({
        "tasks": found.tasks,
        "seconds": found.seconds,
        "texts_per_second": found.texts_per_second,
        "memory_mb": found.memory_mb,
        "gpu_memory_mb": found.gpu_memory_mb,
        "joules": found.joules,
        "gpu_joules": found.gpu_joules,
        "devices": found.devices,
    })
}

#[cfg(test)]
mod tests {
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
