//! Texts of a unit that are empty: a model embeds them, and whoever wrote the data should know.

use mteb_card::TaskType;
use mteb_data::{Column, Table};

use crate::{Part, Unit, text_columns};

/// A note for each column of texts of `unit` that has empty ones, with the place of the first. A corpus, which may be larger than
/// memory, is left aside.
pub fn empty_texts(task_type: TaskType, unit: &Unit) -> Vec<String> {
    let parts = Part::ALL.iter().filter(|part| **part != Part::Corpus);
    let columns =
        parts.flat_map(|part| text_columns(task_type, *part).iter().map(move |name| (*part, *name)));
    columns.filter_map(|(part, name)| note(unit.get(part)?, name)).collect()
}

fn note(table: &Table, name: &str) -> Option<String> {
    let Some(Column::Text(texts)) = table.get(name) else { return None };
    let mut empty = texts.iter().enumerate().filter(|(_, text)| text.trim().is_empty()).map(|(row, _)| row);
    let first = empty.next()?;
    let count = 1 + empty.count();
    let place = table.location(first);
    Some(format!(
        "empty texts in `{name}`, which are scored as they are: {count} of {}, the first in {place}",
        table.rows()
    ))
}
