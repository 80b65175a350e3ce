//! The board as Markdown.

use std::fmt::Write;

use super::escape::markdown;
use crate::table::{Board, Cell, Row};

/// Missing tasks that a row names; JSON has all.
const NAMED: usize = 5;

/// Scores that may be of other data and are named; JSON has all.
const MARKED: usize = 20;

/// The table, best model first, and below it what one must know to read it.
pub fn board_markdown(board: &Board) -> String {
    let is_uneven = board.rows.iter().any(|row| row.rank.is_none());
    let mut titles = vec!["Rank (Borda)", "Model", "Mean (Task)", "Mean (TaskType)"];
    titles.extend(board.types.iter().map(String::as_str));
    let shared = (!board.common.is_empty()).then(|| format!("Mean ({} in common)", board.common.len()));
    if is_uneven {
        titles.extend(shared.as_deref());
        titles.push("Missing");
    }
    let titles: Vec<String> = titles.into_iter().map(markdown).collect();
    let is_text = |title: &String| matches!(title.as_str(), "Model" | "Missing");
    let rules: Vec<&str> = titles.iter().map(|title| if is_text(title) { "---" } else { "---:" }).collect();
    let mut out = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
    for row in &board.rows {
        let _ = writeln!(out, "| {} |", cells(board, row, is_uneven).join(" | "));
    }
    for note in notes(board) {
        let _ = write!(out, "\n{note}\n");
    }
    out
}

fn cells(board: &Board, row: &Row, is_uneven: bool) -> Vec<String> {
    let mark = if row.cells.iter().any(|cell| cell.is_marked) { " †" } else { "" };
    let mut cells = vec![
        row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        format!("{}{mark}", markdown(&row.name)),
        percent(row.mean),
        percent(row.mean_of_types),
    ];
    cells.extend(row.types.iter().map(|mean| percent(*mean)));
    if is_uneven {
        cells.extend((!board.common.is_empty()).then(|| percent(row.common_mean)));
        cells.push(missing(board, row));
    }
    cells
}

/// The tasks that a row lacks, or whose score is no number, by name.
fn missing(board: &Board, row: &Row) -> String {
    let cells = row.cells.iter().zip(&board.columns).filter(|(cell, _)| cell.complete.is_none());
    let names: Vec<String> = cells
        .map(|(cell, column)| format!("{}{}", markdown(&column.task.name), what_is_missing(cell)))
        .collect();
    let more = names.len().saturating_sub(NAMED);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn notes(board: &Board) -> Vec<String> {
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
            let why = markdown(&cell.notes.join("; "));
            format!("{} ({}, {why})", markdown(&row.name), markdown(&column.task.name))
        })
        .collect();
    if !marked.is_empty() {
        let more = marked.len().saturating_sub(MARKED);
        let shown = marked[..marked.len() - more].join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!("† may be of other data: {shown}{more}"));
    }
    notes
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

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.2}", 100.0 * score))
}
