//! What one must know to read a board, in words.

use crate::table::{Board, Cell, Row};

/// Missing tasks that are named of a row; JSON has all.
const NAMED: usize = 5;

/// Lines to stand below a board. Of scores that may be of other data at most `most` are named; JSON has all. Names and reasons are
/// written by `escape`.
pub fn board_notes(board: &Board, most: usize, escape: impl Fn(&str) -> String) -> Vec<String> {
    let mut notes = Vec::new();
    let complete = board.rows.iter().filter(|row| row.rank.is_some()).count();
    if complete < board.rows.len() {
        let (models, tasks) = (board.rows.len(), board.columns.len());
        let have = if models == 1 { "model has" } else { "models have" };
        let all = if tasks == 1 { "the 1 task".to_owned() } else { format!("all {tasks} tasks") };
        notes.push(format!(
            "{complete} of {models} {have} {all}; ranks and means are theirs alone, and the others follow without one."
        ));
    }
    let marked: Vec<String> = board
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().zip(&board.columns).map(move |(cell, column)| (row, cell, column)))
        .filter(|(_, cell, _)| cell.is_marked)
        .map(|(row, cell, column)| {
            let why = escape(&cell.notes.join("; "));
            format!("{} ({}, {why})", escape(&row.name), escape(&column.task.name))
        })
        .collect();
    if !marked.is_empty() {
        notes.push(format!("† may be of other data: {}", first_of(&marked, most)));
    }
    notes
}

/// The tasks that a row lacks, or whose score is no number, by name.
pub fn missing_tasks(board: &Board, row: &Row, escape: impl Fn(&str) -> String) -> String {
    let cells = row.cells.iter().zip(&board.columns).filter(|(cell, _)| cell.complete.is_none());
    let names: Vec<String> = cells
        .map(|(cell, column)| format!("{}{}", escape(&column.task.name), what_is_missing(cell)))
        .collect();
    first_of(&names, NAMED)
}

/// What sets the name of a row apart whose scores may be of other data.
pub fn mark(row: &Row) -> &'static str {
    if row.cells.iter().any(|cell| cell.is_marked) { " †" } else { "" }
}

fn first_of(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Which part of a task has no score, and why; nothing where all is missing.
fn what_is_missing(cell: &Cell) -> String {
    let (missing, undefined, units) = (cell.missing(), cell.undefined, cell.units.len());
    let mut parts = Vec::new();
    if missing > 0 && missing < units {
        parts.push(format!("{missing} of {units} units"));
    }
    if undefined > 0 {
        let of = if undefined < units { format!("{undefined} of {units} units ") } else { String::new() };
        parts.push(format!("{of}scored, but undefined"));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
