//! Markdown: tables, boards, names of others that forge no part of a document, and the
//! `model-index` with which a model's README shows its scores on the hub.

use std::fmt::Write;

use super::board_grid::language_grid;
use super::board_notes::{board_notes, mark, missing_tasks};
use crate::grid::{Grid, Value};
use crate::table::{Board, BoardGroup, Row};
use crate::{percent_or_dash, visible};

/// The table; numbers stand at the right, texts of others stay text.
pub fn grid_markdown(grid: &Grid) -> String {
    let titles: Vec<String> = grid.titles.iter().map(|title| escape_markdown(title)).collect();
    let rule = |column: usize| if grid.is_number(column) { "---:" } else { "---" };
    let rules: Vec<&str> = (0..titles.len()).map(rule).collect();
    let mut out = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
    for row in &grid.rows {
        let cells: Vec<String> = row.iter().map(|value| escape_markdown(&value.to_text())).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}

/// `text` as a cell of a Markdown table: it stands there as it is, in one line, as no link, no mark-up and no HTML.
pub fn escape_markdown(text: &str) -> String {
    let text = visible(text).replace('\n', "\\u000a").replace('\t', "\\u0009");
    let mut out = String::with_capacity(text.len() + 8);
    for (place, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // What looks like an address or a name of a user becomes a link by itself.
            '@' => out.push_str("&#64;"),
            ':' if text[place..].starts_with("://") => out.push_str("&#58;"),
            '.' if text[..place].to_ascii_lowercase().ends_with("www") => out.push_str("&#46;"),
            '_' if is_within_word(&text, place) => out.push('_'),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
    out
}

/// Underscores between letters or digits are no emphasis.
fn is_within_word(text: &str, place: usize) -> bool {
    let before = text[..place].trim_end_matches('_').chars().next_back();
    let after = text[place..].trim_start_matches('_').chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

/// Scores that may be of other data and are named.
const MARKED_MOST: usize = 20;

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
    let titles: Vec<String> = titles.into_iter().map(escape_markdown).collect();
    let is_text = |title: &String| matches!(title.as_str(), "Model" | "Missing");
    let rules: Vec<&str> = titles.iter().map(|title| if is_text(title) { "---" } else { "---:" }).collect();
    let mut out = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
    for row in &board.rows {
        let _ = writeln!(out, "| {} |", cells(board, row, is_uneven).join(" | "));
    }
    if let Some(languages) = language_grid(board) {
        let _ = write!(out, "\n{}", grid_markdown(&languages));
    }
    for note in board_notes(board, MARKED_MOST, escape_markdown) {
        let _ = write!(out, "\n{note}\n");
    }
    out
}

fn cells(board: &Board, row: &Row, is_uneven: bool) -> Vec<String> {
    let mut cells = vec![
        row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        format!("{}{}", escape_markdown(&row.name), mark(row)),
        percent_or_dash(row.mean),
        percent_or_dash(row.mean_of_types),
    ];
    if board.rows.iter().any(|row| row.group.is_some()) {
        cells.push(Value::from(row.group).to_text());
    }
    cells.extend(row.types.iter().chain(&row.groups).map(|mean| percent_or_dash(*mean)));
    if is_uneven {
        cells.extend((!board.common.is_empty()).then(|| percent_or_dash(row.common_mean)));
        cells.push(missing_tasks(board, row, escape_markdown));
    }
    cells
}

/// The front matter of a README: one result a split and subset, scores in percent.
///
/// Source: the hub's model card metadata; the MTEB paper describes it as the way to its leaderboard.
pub fn model_index(board: &Board, row: &Row) -> String {
    let mut out = format!("---\ntags:\n- mteb\nmodel-index:\n- name: {}\n  results:\n", quote(&row.model));
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        for ((split, subset), score) in column.units.iter().zip(&cell.units) {
            let (Some(score), task) = (score, &column.task) else { continue };
            let _ = write!(
                out,
                "  - task:\n      type: {}\n    dataset:\n      type: {}\n      name: {}\n      config: {}\n      split: {}\n      \
                 revision: {}\n    metrics:\n    - type: {}\n      value: {:.5}\n    - type: main_score\n      value: {:.5}\n",
                quote(&task.task_type),
                quote(task.dataset.as_deref().unwrap_or(&task.name)),
                quote(&format!("MTEB {} ({subset})", task.name)),
                quote(subset),
                quote(split),
                quote(task.revision.as_deref().unwrap_or("1")),
                quote(&task.main_score),
                100.0 * score,
                100.0 * score,
            );
        }
    }
    out + "---\n"
}

/// A text as YAML: the double quotes of JSON, whose escapes YAML knows.
fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_stay_as_they_are() {
        for name in ["mteb/baseline-random-encoder", "NusaX-senti", "a__b_c/d", "MTEB(eng, v1)", "模型 é"]
        {
            assert_eq!(escape_markdown(name), name);
        }
    }

    #[test]
    fn a_name_forges_no_row_no_link_and_no_mark_up() {
        assert_eq!(escape_markdown("x | 99 |\n| 1 | y"), "x \\| 99 \\|\\\\u000a\\| 1 \\| y");
        assert_eq!(escape_markdown("<script>&amp;"), "&lt;script&gt;&amp;amp;");
        assert_eq!(escape_markdown("[a](javascript:b)"), "\\[a\\](javascript:b)");
        assert_eq!(escape_markdown("`c` *d* _e_ ~f~ $g$"), "\\`c\\` \\*d\\* \\_e\\_ \\~f\\~ \\$g\\$");
        assert_eq!(escape_markdown("https://h www.i j@k.l"), "https&#58;//h www&#46;i j&#64;k.l");
        assert_eq!(escape_markdown("m\u{202e}n\r\u{1b}"), "m\\\\u202en\\\\u000d\\\\u001b");
    }
}
