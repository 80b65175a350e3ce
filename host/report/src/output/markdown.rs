//! A table as Markdown.

use std::fmt::Write;

use super::escape::markdown;
use crate::grid::Grid;

/// The table; numbers stand at the right, texts of others stay text.
pub fn grid_markdown(grid: &Grid) -> String {
    let titles: Vec<String> = grid.titles.iter().map(|title| markdown(title)).collect();
    let rule = |column: usize| if grid.is_number(column) { "---:" } else { "---" };
    let rules: Vec<&str> = (0..titles.len()).map(rule).collect();
    let mut out = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
    for row in &grid.rows {
        let cells: Vec<String> = row.iter().map(|value| markdown(&value.shown())).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}
