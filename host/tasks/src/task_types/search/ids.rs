//! Ids of queries and documents, whatever they are called and however they are typed, and those
//! that occur more than once, as messages say them.

use std::collections::HashMap;
use std::fmt::Display;

use mteb_data::{CellFault, Column, DataError, Location, Table, Texts, all_cells, written_number};
use serde_json::Value;

use crate::Part;

/// The ids in column `_id` or `id` of `table`.
pub(super) fn row_ids(table: &Table) -> Result<Texts, DataError> {
    id_column(table, id_name(table)?)
}

/// The name of the column with ids: `_id`, else `id`.
pub(super) fn id_name(table: &Table) -> Result<&'static str, DataError> {
    match Part::ROW_IDS.into_iter().find(|name| table.get(name).is_some()) {
        Some(name) => Ok(name),
        None => table.column("_id").map(|_| "_id"),
    }
}

/// The ids in column `name`; numbers are written out.
pub(super) fn id_column(table: &Table, name: &str) -> Result<Texts, DataError> {
    match table.column(name)? {
        Column::Text(ids) => Ok(ids.clone()),
        column => {
            let ids = all_cells((0..table.rows()).map(|row| {
                let value = column.value(row);
                id(&value).ok_or_else(|| table.fault(name, row, ID, &value))
            }))?;
            Ok(ids.into_iter().collect())
        }
    }
}

/// What an id is, for messages.
const ID: &str = "an id: a string or a number";

/// What an id is not, for messages.
const EMPTY_ID: &str = "an empty string";

/// Refuses ids of column `name` that are empty.
pub(super) fn without_empty_ids(table: &Table, name: &str, ids: &Texts) -> Result<(), DataError> {
    let cells = ids.iter().enumerate().map(|(row, id)| match id {
        "" => Err(table.fault_saying(name, row, ID, EMPTY_ID.to_owned())),
        _ => Ok(()),
    });
    all_cells(cells).map(drop)
}

/// The fault of the empty id of column `name` at `at`, and of those in the rows `others` of that
/// file.
pub(super) fn empty_id(at: Location, name: &str, others: Vec<usize>) -> DataError {
    DataError::Cell(Box::new(CellFault {
        at,
        column: name.to_owned(),
        expected: ID.to_owned(),
        found: EMPTY_ID.to_owned(),
        advice: String::new(),
        others,
    }))
}

/// What the reader of a result should know of `count` empty ids of `things`, the first of them at
/// `first`.
pub(super) fn empty_ids_note(things: &str, count: usize, first: impl Display) -> String {
    format!("ids of {things} that are empty and are used as mteb uses them: {count}, the first in {first}")
}

/// `value` as an id, if it can be one.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(number) => Some(written_number(number)),
        _ => None,
    }
}

/// How many ids occur more than once, and the first place where one does.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    count: usize,
    pub first: Option<Repeat>,
}

/// An id at its second place.
#[derive(Debug)]
pub(super) struct Repeat {
    id: String,
    column: &'static str,
    first: Location,
    second: Location,
    /// Rows of the same file that repeat an id, too.
    others: Vec<usize>,
}

/// The first place of each id that is suspected to occur more than once; `None` once it was counted.
pub(super) type Seen = HashMap<String, Option<Location>>;

impl Repeated {
    /// Takes in an id that is suspected to occur more than once; `seen` has the first place of those before.
    pub fn see(&mut self, seen: &mut Seen, id: &str, column: &'static str, at: impl Fn() -> Location) {
        let Some(first) = seen.get_mut(id) else {
            seen.insert(id.to_owned(), Some(at()));
            return;
        };
        let first = first.take();
        self.count += usize::from(first.is_some());
        match (&mut self.first, first) {
            (Some(repeat), _) => repeat.join(&at()),
            (none, Some(first)) => {
                *none = Some(Repeat { id: id.to_owned(), column, first, second: at(), others: Vec::new() });
            }
            (None, None) => {}
        }
    }

    /// What the reader of a result should know of the ids of `things`.
    pub fn note(&self, things: &str) -> String {
        let first = self.first.as_ref();
        let place = first.map(|first| format!(", first “{}” in {}", first.id, first.second));
        format!(
            "ids of {things} that occur more than once and are used as mteb uses them: {}{}",
            self.count,
            place.unwrap_or_default()
        )
    }
}

impl Repeat {
    fn join(&mut self, other: &Location) {
        if other.file == self.second.file {
            self.others.push(other.number);
        }
    }

    /// The fault of the second place.
    pub fn fault(&self) -> DataError {
        DataError::Cell(Box::new(CellFault {
            at: self.second.clone(),
            column: self.column.to_owned(),
            expected: "an id of its own".to_owned(),
            found: format!("“{}”, the id of {} too", self.id, self.first),
            advice: String::new(),
            others: self.others.clone(),
        }))
    }
}

/// The first of some ids, for messages.
pub(super) fn some<'a>(mut ids: impl Iterator<Item = &'a str>) -> String {
    let mut first: Vec<String> = ids.by_ref().take(3).map(|id| format!("“{id}”")).collect();
    if ids.next().is_some() {
        first.push("…".to_owned());
    }
    first.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_become_ids_as_arrow_writes_them() {
        let cells = vec![json!("a"), json!(12), json!(3.0), json!(2.5)];
        let table = Table::new("corpus.jsonl", vec![("_id".to_owned(), Column::Any(cells))]).unwrap();
        assert_eq!(row_ids(&table).unwrap().iter().collect::<Vec<_>>(), ["a", "12", "3", "2.5"]);
    }

    #[test]
    fn a_missing_id_is_named_by_its_row() {
        let cells = vec![json!("a"), Value::Null];
        let table = Table::new("corpus.jsonl", vec![("id".to_owned(), Column::Any(cells))]).unwrap();
        assert_eq!(
            row_ids(&table).unwrap_err().to_string(),
            "corpus.jsonl, row 2, column `id`: expected an id: a string or a number, found null"
        );
    }

    #[test]
    fn a_table_without_ids_is_refused() {
        let table = Table::new("corpus.jsonl", vec![("docid".to_owned(), Column::Int(vec![1]))]).unwrap();
        assert_eq!(
            row_ids(&table).unwrap_err().to_string(),
            "corpus.jsonl: no column `_id`; its columns are docid; if `docid` is meant, say so in the card: \
             `columns = { _id = \"docid\" }`"
        );
    }
}
