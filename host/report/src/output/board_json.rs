//! The board as JSON, with the score of every task.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::table::{Board, Row};

/// A list of rows, best model first.
pub fn board_json(board: &Board) -> Value {
    let common: Vec<&str> =
        board.common.iter().map(|number| board.columns[*number].task.name.as_str()).collect();
    Value::Array(board.rows.iter().map(|row| row_json(board, row, &common)).collect())
}

fn row_json(board: &Board, row: &Row, common: &[&str]) -> Value {
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
    let languages: Map<String, Value> = board
        .languages
        .iter()
        .zip(&row.languages)
        .map(|(language, mean)| (language.code.clone(), (*mean).into()))
        .collect();
    let means: Map<String, Value> = board
        .groups
        .iter()
        .zip(&row.groups)
        .filter(|(group, _)| group.grouping.is_none())
        .map(|(mean, score)| (mean.label.clone(), (*score).into()))
        .collect();
    let missing: Vec<Value> = cells()
        .filter(|(cell, _)| cell.complete.is_none())
        .map(|(cell, column)| {
            json!({ "task": column.task.name, "units": cell.units.len(), "missing": cell.missing(), "undefined": cell.undefined })
        })
        .collect();
    let notes: Vec<Value> = cells()
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
        "measured": measured(row),
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
fn groups_json(board: &Board, row: &Row) -> Value {
    let mut groupings: Map<String, Value> = Map::new();
    for (group, mean) in board.groups.iter().zip(&row.groups) {
        if let Some(grouping) = &group.grouping {
            let grouping = groupings.entry(grouping.clone()).or_insert_with(|| json!({}));
            grouping[&group.label] = (*mean).into();
        }
    }
    Value::Object(groupings)
}

/// What its results have cost, as they state it; null where they do not.
fn measured(row: &Row) -> Value {
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
