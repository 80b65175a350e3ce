//! The board as Markdown.

use std::fmt::Write;

use super::board_grid::language_grid;
use super::board_notes::{board_notes, mark, missing_tasks};
use super::escape::markdown;
use super::markdown::grid_markdown;
use crate::grid::Value;
use crate::percent_or_dash;
use crate::table::{Board, BoardGroup, Row};

/// Scores that may be of other data and are named.
const MARKED: usize = 20;

/// The table, best model first, and below it what one must know to read it.
pub fn board_markdown(board: &Board) -> String {
    let is_uneven = board.rows.iter().any(|row| row.rank.is_none());
    let has_groups = board.rows.iter().any(|row| row.group.is_some());
    let mut titles = vec!["Rank (Borda)", "Model", "Mean (Task)", "Mean (TaskType)"];
    titles.extend(has_groups.then_some("Tie group"));
    titles.extend(board.types.iter().map(String::as_str));
    let groups: Vec<String> = board.groups.iter().map(BoardGroup::title).collect();
    titles.extend(groups.iter().map(String::as_str));
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
    if let Some(languages) = language_grid(board) {
        let _ = write!(out, "\n{}", grid_markdown(&languages));
    }
    for note in board_notes(board, MARKED, markdown) {
        let _ = write!(out, "\n{note}\n");
    }
    out
}

fn cells(board: &Board, row: &Row, is_uneven: bool) -> Vec<String> {
    let mut cells = vec![
        row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        format!("{}{}", markdown(&row.name), mark(row)),
        percent_or_dash(row.mean),
        percent_or_dash(row.mean_of_types),
    ];
    if board.rows.iter().any(|row| row.group.is_some()) {
        cells.push(Value::from(row.group).shown());
    }
    cells.extend(row.types.iter().chain(&row.groups).map(|mean| percent_or_dash(*mean)));
    if is_uneven {
        cells.extend((!board.common.is_empty()).then(|| percent_or_dash(row.common_mean)));
        cells.push(missing_tasks(board, row, markdown));
    }
    cells
}
