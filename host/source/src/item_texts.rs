//! The texts of single items of a unit, by the ids that outcomes give them.

use std::collections::HashMap;

use mteb_card::TaskCard;
use mteb_data::{Table, written_number};
use mteb_tasks::{Part, Unit, facts};
use serde_json::Value;

/// The texts of the queries with these `ids`; `None` where there is no such query.
pub fn query_texts(unit: &Unit, ids: &[&str]) -> Vec<Option<String>> {
    let Some(queries) = unit.get(Part::Queries) else { return vec![None; ids.len()] };
    let Some(column) = Part::ROW_IDS.into_iter().find_map(|name| queries.get(name)) else {
        return vec![None; ids.len()];
    };
    let id = |row: usize| match column.value(row) {
        Value::String(id) => Some(id),
        Value::Number(number) => Some(written_number(&number)),
        _ => None,
    };
    let rows: HashMap<String, usize> = (0..queries.rows()).filter_map(|row| Some((id(row)?, row))).collect();
    let text = |id: &&str| queries.get("text").map(|column| show_text(&column.value(*rows.get(*id)?)))?;
    ids.iter().map(text).collect()
}

/// The texts of the rows with these numbers, the columns of one row joined by ` | `; `None` where
/// there is no such row.
pub fn row_texts(card: &TaskCard, unit: &Unit, rows: &[&str]) -> Vec<Option<String>> {
    let Some(table) = unit.get(Part::Rows) else { return vec![None; rows.len()] };
    let facts = facts(card.task_type);
    let text = |row: &&str| {
        let row: usize = row.parse().ok()?;
        let cells: Vec<String> =
            facts.text_columns.iter().filter_map(|column| cell(table, column, row)).collect();
        (!cells.is_empty()).then(|| cells.join(" | "))
    };
    rows.iter().map(text).collect()
}

/// A cell with one text; of a table that holds a whole split in one row, an entry of its list.
fn cell(table: &Table, column: &str, row: usize) -> Option<String> {
    let column = table.get(column)?;
    if table.rows() == 1
        && let Value::Array(entries) = column.value(0)
    {
        return show_text(entries.get(row)?);
    }
    (row < table.rows()).then(|| column.value(row)).and_then(|value| show_text(&value))
}

/// A text as it is, a conversation as JSON; nothing of lists of texts.
fn show_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(turns) if turns.iter().any(Value::is_object) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_data::read_json_lines;

    use super::*;

    fn unit(part: Part, lines: &str) -> Unit {
        let table = read_json_lines("rows.jsonl", lines.as_bytes()).unwrap();
        Unit::new(["T", "test", "default"], BTreeMap::from([(part, table)]))
    }

    #[test]
    fn queries_are_found_by_their_ids_and_pairs_by_their_rows() {
        let queries =
            unit(Part::Queries, "{\"_id\": 7, \"text\": \"tujuh\"}\n{\"_id\": 8, \"text\": \"delapan\"}");
        assert_eq!(query_texts(&queries, &["8", "9"]), [Some("delapan".to_owned()), None]);
        let card = TaskCard::from_toml(
            "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"p\"\n",
        )
        .unwrap();
        let pairs =
            "{\"sentence1\": \"a\", \"sentence2\": \"b\"}\n{\"sentence1\": \"c\", \"sentence2\": \"d\"}";
        assert_eq!(
            row_texts(&card, &unit(Part::Rows, pairs), &["1", "2", "x"]),
            [Some("c | d".to_owned()), None, None]
        );
        let folded = "{\"sentence1\": [\"a\", \"c\"], \"sentence2\": [\"b\", \"d\"]}";
        assert_eq!(row_texts(&card, &unit(Part::Rows, folded), &["1"]), [Some("c | d".to_owned())]);
    }
}
