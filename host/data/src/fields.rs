//! Columns that lie within the objects or lists of another one.

use serde_json::Value;

use crate::builder::ColumnBuilder;
use crate::{DataError, Table};

impl Table {
    /// The same rows with a column called `path`, as `translation.en`: what the objects of the column before the first point hold under
    /// the name behind it, and null where they do not have it; lists have their elements under their places, from 0. Of a list of
    /// objects, as `documents.id`, it is the list of what each of them holds. The table itself where there is such a column, or none of
    /// the first name.
    ///
    /// # Errors
    /// If a cell of the first column is neither an object, nor a list of objects or one where a place is named, nor null.
    pub fn with_field(self, path: &str) -> Result<Self, DataError> {
        let Some((head, field)) = path.split_once('.') else { return Ok(self) };
        if self.get(path).is_some() {
            return Ok(self);
        }
        let Some(objects) = self.get(head) else { return Ok(self) };
        let mut cells = ColumnBuilder::new(0);
        for row in 0..self.rows() {
            cells.push(match &*objects.cell(row) {
                Value::Null => Value::Null,
                cell @ Value::Object(_) => within(cell, field),
                cell @ Value::Array(list) if place(field).is_some() || list.iter().all(is_object) => {
                    within(cell, field)
                }
                other => {
                    let expected = match place(field) {
                        Some(place) => format!("a list with an element at position {place}"),
                        None => format!("an object with the field `{field}`, or a list of such objects"),
                    };
                    return Err(self.fault(head, row, &expected, other));
                }
            });
        }
        let cells = cells.finish();
        Ok(self.with_column(path, cells))
    }
}

/// The place in a list that the first name of a path stands for.
fn place(path: &str) -> Option<usize> {
    path.split('.').next()?.parse().ok()
}

fn is_object(cell: &Value) -> bool {
    cell.is_object() || cell.is_null()
}

/// What lies under `path` in an object or a list, which may hold others itself; of a list without the place that is named, what lies
/// there in each of its elements.
fn within(cell: &Value, path: &str) -> Value {
    if let Value::Array(list) = cell
        && place(path).is_none()
    {
        return list.iter().map(|element| within(element, path)).collect();
    }
    let get = |name: &str| match cell {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        cell => cell.get(name),
    };
    if let Some(value) = get(path) {
        return value.clone();
    }
    let inner = path.split_once('.').and_then(|(head, rest)| Some((get(head)?, rest)));
    inner.map_or(Value::Null, |(inner, rest)| within(inner, rest))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::read_json_lines;

    use super::*;

    fn table(rows: &[Value]) -> Table {
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        read_json_lines("f.jsonl", lines.join("\n").as_bytes()).unwrap()
    }

    fn field(rows: &[Value], path: &str) -> Result<Vec<Value>, String> {
        let table = table(rows).with_field(path).map_err(|error| error.to_string())?;
        let column = table.column(path).map_err(|error| error.to_string())?;
        Ok((0..table.rows()).map(|row| column.value(row)).collect())
    }

    #[test]
    fn a_field_of_objects_is_a_column() {
        let rows = [
            json!({"translation": {"en": "one", "deep": {"id": 1}}}),
            json!({"translation": {"en": "two", "deep": {"id": 2}}}),
        ];
        assert_eq!(field(&rows, "translation.en").unwrap(), ["one", "two"]);
        assert_eq!(field(&rows, "translation.deep.id").unwrap(), [1, 2]);
    }

    #[test]
    fn an_element_of_lists_is_a_column() {
        let rows = [
            json!({"tags": ["a", "b"], "answers": {"text": ["x"]}}),
            json!({"tags": ["c"], "answers": {"text": []}}),
        ];
        assert_eq!(field(&rows, "tags.0").unwrap(), ["a", "c"]);
        assert_eq!(field(&rows, "tags.1").unwrap(), [json!("b"), json!(null)]);
        assert_eq!(field(&rows, "answers.text.0").unwrap(), [json!("x"), json!(null)]);
        let said = field(&[json!({"tags": "a"})], "tags.0").unwrap_err();
        assert!(said.contains("expected a list with an element at position 0"), "{said}");
        let said = field(&[json!({"tags": ["a"]})], "tags.en").unwrap_err();
        assert!(said.contains("expected an object with the field `en`, or a list of such objects"), "{said}");
    }

    #[test]
    fn a_field_of_lists_of_objects_is_a_column_of_lists() {
        let rows = [
            json!({"documents": [{"id": "d1", "by": {"name": "x"}}, {"id": "d2"}]}),
            json!({"documents": []}),
            json!({"documents": null}),
        ];
        assert_eq!(field(&rows, "documents.id").unwrap(), [json!(["d1", "d2"]), json!([]), json!(null)]);
        assert_eq!(field(&rows[..1], "documents.by.name").unwrap(), [json!(["x", null])]);
        assert_eq!(field(&rows[..1], "documents.1.id").unwrap(), ["d2"]);
    }

    #[test]
    fn a_column_of_that_name_counts_before_a_field() {
        let rows = [json!({"a.b": "own", "a": {"b": "field"}})];
        assert_eq!(field(&rows, "a.b").unwrap(), ["own"]);
    }

    #[test]
    fn what_is_no_object_is_named() {
        let said = field(&[json!({"a": {"b": "x"}}), json!({"a": "y"})], "a.b").unwrap_err();
        assert!(said.contains("expected an object with the field `b`"), "{said}");
        let absent = field(&[json!({"c": 1})], "a.b").unwrap_err();
        assert!(absent.starts_with("f.jsonl: no column `a.b`; its columns are c"), "{absent}");
    }
}
