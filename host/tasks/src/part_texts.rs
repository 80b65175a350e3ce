//! What the parts of a task are called, their columns of texts, and which texts are empty.

use mteb_card::TaskType;
use mteb_data::{Column, PartNames, Table};

use crate::{Part, Unit, facts};

/// What files that are a part of a ranking task are called.
pub fn part_names() -> PartNames {
    PartNames {
        all: Part::of_rankings().flat_map(Part::file_names).collect(),
        // A stray file beside them would be taken for judgements.
        without_rows: [Part::Corpus, Part::Qrels].map(Part::as_str).to_vec(),
    }
}

/// The columns of a part that hold texts (protocol 2.1, 2.2).
pub fn text_columns(task_type: TaskType, part: Part) -> &'static [&'static str] {
    if part.is_of_rankings() { part.text_columns() } else { facts(task_type).text_columns }
}

/// A note for each column of texts of `unit` that has empty ones, with the place of the first. A
/// corpus, which may be larger than memory, is left aside.
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
