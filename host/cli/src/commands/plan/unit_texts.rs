//! The texts of a unit, each once, as far as its tables tell without a plan.

use std::collections::HashSet;

use mteb_card::{Part, TaskType};
use mteb_data::{Column, Table, written};
use mteb_tasks::{Unit, text_columns};
use serde_json::Value;

/// Adds the texts of a unit, each once.
pub fn add_texts(texts: &mut HashSet<String>, unit: &Unit, task_type: TaskType) {
    for (part, table) in &unit.parts {
        let columns = text_columns(task_type, *part);
        if *part == Part::Corpus || *part == Part::Queries {
            let cells: Vec<&Column> = columns.iter().filter_map(|name| table.get(name)).collect();
            texts.extend((0..table.rows()).map(|row| {
                let joined: Vec<String> = cells.iter().map(|cells| written(&cells.value(row))).collect();
                joined.join("\n")
            }));
        } else if matches!(part, Part::Rows | Part::Train) {
            columns.iter().for_each(|name| add_cells(texts, table, name));
        }
    }
}

fn add_cells(texts: &mut HashSet<String>, table: &Table, name: &str) {
    let Some(cells) = table.get(name) else { return };
    for row in 0..table.rows() {
        match cells.value(row) {
            Value::Array(all) => texts.extend(all.iter().map(written)),
            one => drop(texts.insert(written(&one))),
        }
    }
}
