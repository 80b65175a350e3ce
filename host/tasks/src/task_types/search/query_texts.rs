//! The text of a query as it is encoded: with its instruction, and from a conversation (protocol
//! 3.1).

use std::collections::HashMap;

use mteb_data::{Column, DataError, Table, Texts, all_cells};
use serde_json::Value;

use super::ids::id_column;
use crate::{Part, Unit};

/// What a conversation must look like, for messages.
const CONVERSATION: &str = "a conversation: a list of strings, or of objects with `role` and `content`";

/// The texts of `rows` with their `instructions` (one a row, `None` where there is none).
///
/// A plain query is left as it is and its instruction follows; a conversation is joined by `"; "` and its
/// instruction comes first. The first row decides which of the two the queries are.
pub(super) fn query_texts(
    queries: &Table,
    rows: &[usize],
    instructions: &[Option<String>],
) -> Result<Texts, DataError> {
    let column = queries.column("text")?;
    let conversations = match (column, rows.first()) {
        (Column::Any(_), Some(&first)) => column.value(first).is_array(),
        _ => false,
    };
    let texts = rows.iter().zip(instructions).map(|(&row, instruction)| {
        let cell = column.value(row);
        let fault = |expected| queries.fault("text", row, expected, &cell);
        if conversations {
            let conversation = join_turns(&cell).ok_or_else(|| fault(CONVERSATION))?;
            return Ok(match instruction {
                Some(instruction) => format!("{instruction} {conversation}"),
                None => conversation,
            });
        }
        let text = cell.as_str().ok_or_else(|| fault("a string"))?;
        Ok(match instruction {
            Some(instruction) => format!("{text} {instruction}"),
            None => text.to_owned(),
        })
    });
    Ok(all_cells(texts)?.into_iter().collect())
}

/// The turns of a conversation in one string; the first turn decides the form of all.
fn join_turns(conversation: &Value) -> Option<String> {
    let turns = conversation.as_array().filter(|turns| !turns.is_empty())?;
    let turns: Option<Vec<String>> = if turns[0].is_string() {
        turns.iter().map(|turn| turn.as_str().map(str::to_owned)).collect()
    } else {
        turns
            .iter()
            .map(|turn| Some(format!("{}: {}", turn.get("role")?.as_str()?, turn.get("content")?.as_str()?)))
            .collect()
    };
    Some(turns?.join("; "))
}

/// The instruction of each query in `rows`; `None` where it has none.
///
/// # Errors
/// If the unit has a table of instructions that lacks one for a query.
pub(super) fn instructions(
    unit: &Unit,
    rows: &[usize],
    ids: &Texts,
) -> Result<Vec<Option<String>>, DataError> {
    match unit.get(Part::Instruction) {
        Some(table) => from_table(table, rows, ids),
        None => from_column(unit.part(Part::Queries)?, rows),
    }
}

fn from_table(table: &Table, rows: &[usize], ids: &Texts) -> Result<Vec<Option<String>>, DataError> {
    let query_ids = id_column(table, "query-id")?;
    let column = table.column("instruction")?;
    let by_id: HashMap<&str, usize> = query_ids.iter().enumerate().map(|(row, id)| (id, row)).collect();
    all_cells(rows.iter().map(|&row| match by_id.get(&ids[row]) {
        Some(&found) => text(table, column, found),
        None => Err(DataError::Missing {
            place: table.place(0).0.to_owned(),
            what: "instruction for query",
            name: ids[row].to_owned(),
            present: format!("one for other queries, {} in all", by_id.len()),
        }),
    }))
}

fn from_column(queries: &Table, rows: &[usize]) -> Result<Vec<Option<String>>, DataError> {
    match queries.get("instruction") {
        Some(column) => all_cells(rows.iter().map(|&row| text(queries, column, row))),
        None => Ok(vec![None; rows.len()]),
    }
}

fn text(table: &Table, column: &Column, row: usize) -> Result<Option<String>, DataError> {
    match column.value(row) {
        Value::String(text) => Ok(Some(text)),
        Value::Null => Ok(None),
        other => Err(table.fault("instruction", row, "a string or null", &other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(cells: Vec<Value>, instructions: &[Option<&str>]) -> Result<Vec<String>, String> {
        let rows: Vec<usize> = (0..cells.len()).collect();
        let table = Table::new("queries.jsonl", vec![("text".to_owned(), Column::Any(cells))]).unwrap();
        let instructions: Vec<Option<String>> =
            instructions.iter().map(|text| text.map(str::to_owned)).collect();
        match query_texts(&table, &rows, &instructions) {
            Ok(texts) => Ok(texts.iter().map(str::to_owned).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn queries_are_not_stripped_and_the_instruction_follows() {
        let found = texts(vec![json!(" apa "), json!("siapa")], &[None, Some("singkat")]);
        assert_eq!(found.unwrap(), [" apa ", "siapa singkat"]);
    }

    #[test]
    fn the_instruction_of_a_conversation_comes_first() {
        let turns = json!([{"role": "user", "content": "apa?"}, {"role": "assistant", "content": "ini"}]);
        let found = texts(vec![turns, json!(["satu", "dua"])], &[Some("singkat"), None]);
        assert_eq!(found.unwrap(), ["singkat user: apa?; assistant: ini", "satu; dua"]);
    }

    #[test]
    fn a_turn_without_role_is_an_error_with_its_place() {
        let found = texts(vec![json!(["satu"]), json!([{"content": "apa?"}])], &[None, None]);
        assert_eq!(
            found.unwrap_err(),
            "queries.jsonl, row 2, column `text`: expected a conversation: a list of strings, or of objects with \
             `role` and `content`, found a list: [{\"content\":\"apa?\"}]"
        );
    }

    #[test]
    fn a_null_text_is_an_error_with_its_place() {
        assert_eq!(
            texts(vec![json!("apa"), Value::Null], &[None, None]).unwrap_err(),
            "queries.jsonl, row 2, column `text`: expected a string, found null"
        );
    }
}
