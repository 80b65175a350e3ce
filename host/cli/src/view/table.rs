//! Tables for people: as wide as the terminal, and as wide as their cells where there is none;
//! Markdown of the host's own, whose tables and lines fit it too.

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use mteb_report::grid::Grid;
use unicode_width::UnicodeWidthStr;

use super::columns::{
    break_cells, break_word, fit, fit_beside_names, fold, fold_grid, longest_word, names_column,
};
use crate::output;

/// Lines of a cell that does not fit into its column; what is beyond ends in `…`, and the other forms have it.
const LINES: usize = 3;

/// A table with these titles. Cells are wrapped where the terminal is too narrow for them.
pub fn table(titles: impl IntoIterator<Item = impl Into<Cell>>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY).set_truncation_indicator("…");
    table.set_header(titles.into_iter().map(Into::into).collect::<Vec<Cell>>());
    if let Some(width) = output::table_width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table
}

/// The table as text. Each row has a few lines at most.
pub fn text(table: Table) -> String {
    draw_fitted(table, output::table_width(), None)
}

/// A table of rows of texts, the first of which are the titles: the names of its first column are whole in any terminal, and columns that
/// find no room beside them go, the last first. `is_right` says which columns stand at the right.
pub fn names_text(rows: &[Vec<String>], is_right: &[bool]) -> String {
    draw_names(rows, is_right, &[], output::table_width())
}

/// The same, where columns find room in the `order` in which they tell most.
pub fn names_text_by(order: &[usize], rows: &[Vec<String>], is_right: &[bool]) -> String {
    draw_names(rows, is_right, order, output::table_width())
}

/// The same, at most `width` columns wide where standard output is no terminal.
pub fn names_text_within(rows: &[Vec<String>], is_right: &[bool], width: u16) -> String {
    draw_names(rows, is_right, &[], Some(output::table_width().unwrap_or(width)))
}

fn draw_names(rows: &[Vec<String>], is_right: &[bool], order: &[usize], width: Option<u16>) -> String {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|text| output::visible_line(text).into_owned()).collect())
        .collect();
    let (names, columns): (usize, Vec<usize>) = match width {
        Some(width) => fit_beside_names(&rows, width.into(), order),
        None => (usize::MAX, (0..rows.first().map_or(0, Vec::len)).collect()),
    };
    let Some((titles, rows)) = rows.split_first() else { return String::new() };
    let mut found = table(columns.iter().map(|&column| cell(&titles[column])));
    if let Some(width) = width {
        found.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for row in rows {
        let side = |&column: &usize| match (column, is_right.get(column)) {
            (0, _) => Cell::new(break_word(&row[column], names)),
            (_, Some(true)) => right(&row[column]),
            _ => cell(&row[column]),
        };
        found.add_row(columns.iter().map(side).collect::<Vec<Cell>>());
    }
    draw_fitted(found, width, Some(0))
}

fn draw_fitted(mut table: Table, width: Option<u16>, names: Option<usize>) -> String {
    if let Some(width) = width {
        fit(&mut table, width.into(), names);
    }
    for row in table.row_iter_mut() {
        row.max_height(LINES);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A table of rows of texts, the first of which are the titles; `is_right` says which columns stand at the right. Names of the first
/// column are whole where a terminal has room for them and another column: of columns that find none there is one more table below.
pub fn draw(rows: &[Vec<String>], is_right: &[bool]) -> String {
    draw_in(rows, is_right, output::table_width())
}

fn draw_in(rows: &[Vec<String>], is_right: &[bool], width: Option<u16>) -> String {
    let in_one_line = |text: &String| output::visible_line(text).into_owned();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(in_one_line).collect()).collect();
    let Some(width) = width else { return draw_part(&rows, is_right) };
    let tables = split_columns(&rows, width.into()).into_iter().map(|columns| {
        let of = |row: &Vec<String>| columns.iter().filter_map(|&column| row.get(column).cloned()).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(of).collect();
        let is_right: Vec<bool> = columns.iter().map(|&column| is_right.get(column) == Some(&true)).collect();
        draw_part(&break_cells(&rows, width.into()), &is_right)
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The columns of `rows` in tables of at most `width`, each of which begins with the names of the first column.
fn split_columns(rows: &[Vec<String>], width: usize) -> Vec<Vec<usize>> {
    let widest = |column: usize, of: &dyn Fn(&str) -> Option<usize>| {
        rows.iter().filter_map(|row| row.get(column)).filter_map(|cell| of(cell)).max().unwrap_or_default()
    };
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let need = |column: usize| match column {
        0 => widest(0, &|name| Some(name.width())),
        _ => widest(column, &longest_word),
    };
    fold(&(0..count).map(|column| (column, need(column))).collect::<Vec<_>>(), Some(0), width)
}

fn draw_part(rows: &[Vec<String>], is_right: &[bool]) -> String {
    let side = |(column, text): (usize, &String)| match is_right.get(column) {
        Some(true) => right(text),
        _ => Cell::new(text),
    };
    let cells = |row: &Vec<String>| row.iter().enumerate().map(side).collect::<Vec<Cell>>();
    let Some((titles, rows)) = rows.split_first() else { return String::new() };
    let mut drawn = table(titles);
    for row in rows {
        drawn.add_row(cells(row));
    }
    text(drawn)
}

/// Tables without a form, for a terminal: of columns that do not fit beside the others there is one more table.
pub fn grid_texts(grid: &Grid) -> Vec<String> {
    match output::table_width() {
        Some(width) => fold_grid(grid, width.into()).iter().map(grid_text).collect(),
        None => vec![grid_text(grid)],
    }
}

/// Numbers stand at the right.
fn grid_text(grid: &Grid) -> String {
    let mut found = table(grid.titles.iter().map(|text| title(text)));
    for row in &grid.rows {
        found.add_row(row.iter().enumerate().map(|(column, value)| {
            if grid.is_number(column) { right(value.to_text()) } else { cell(value.to_text()) }
        }));
    }
    draw_fitted(found, output::table_width(), names_column(grid))
}

/// The cell of a title, which may have lines.
fn title(text: &str) -> Cell {
    let lines: Vec<_> = text.lines().map(output::visible_line).collect();
    Cell::new(lines.join("\n"))
}

/// A cell with a text of others, which begins no line of its own.
pub fn cell(text: impl AsRef<str>) -> Cell {
    Cell::new(output::visible_line(text.as_ref()))
}

/// A cell whose text stands at the right.
pub fn right(text: impl ToString) -> Cell {
    cell(text.to_string()).set_alignment(CellAlignment::Right)
}

/// The text without mark-up; its tables are drawn, and its lines break between words.
pub fn markdown_text(markdown: &str) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    // One more line ends a table that is the last of all.
    for line in markdown.trim_end().lines().chain([""]) {
        if line.starts_with('|') {
            rows.push(line);
            continue;
        }
        if !rows.is_empty() {
            shown.push(draw_rows(&std::mem::take(&mut rows)));
        }
        shown.push(output::wrap_prose(&unescape(line.trim_start_matches('#').trim_start())));
    }
    shown.join("\n").trim_end().to_owned()
}

/// A table whose second line says on which side cells stand.
fn draw_rows(rows: &[&str]) -> String {
    let mut rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    let sides = if rows.len() > 1 { rows.remove(1) } else { Vec::new() };
    let is_right: Vec<bool> = sides.iter().map(|side| side.ends_with(':')).collect();
    draw(&rows, &is_right)
}

/// The cells of a row, between bars that are not escaped.
fn cells(row: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for character in row.trim().trim_start_matches('|').chars() {
        if character == '|' && !is_escaped {
            cells.push(unescape(cell.trim()));
            cell.clear();
            continue;
        }
        is_escaped = character == '\\' && !is_escaped;
        cell.push(character);
    }
    cells
}

/// The text that is escaped in `markdown`.
fn unescape(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    let mut characters = markdown.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => characters.next().unwrap_or('\\'),
            other => other,
        });
    }
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&#64;", "@"), ("&#58;", ":"), ("&#46;", "."), ("&amp;", "&")];
    entities.iter().fold(plain, |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_two_lines_is_two_lines() {
        let mut found = table([title("Mean\n(Task)")]);
        found.add_row([cell("a\nb")]);
        let text = draw_fitted(found, Some(40), None);
        assert!(text.contains("│ Mean ") && text.contains("│ (Task) ") && text.contains("a\\nb"), "{text}");
    }

    #[test]
    fn names_are_whole_and_other_columns_go_below() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["Task", "org/a-model", "org/other", "difference"]),
            row(["TweetSentimentExtractionClassification", "50.00", "25.00", "−25.00"]),
        ];
        let text = draw_in(&rows, &[false, true, true, true], Some(72));
        assert_eq!(text.matches("TweetSentimentExtractionClassification").count(), 2, "{text}");
        assert!(text.contains("difference"), "{text}");
    }

    #[test]
    fn tables_are_drawn_and_escapes_are_read() {
        assert_eq!(cells("| a \\| b | 1 |"), ["a | b", "1"]);
        assert_eq!(unescape("x\\_y &lt;z&gt; &amp;amp;"), "x_y <z> &amp;");
        let shown = markdown_text("# A against b\n\n| | won |\n|---|---:|\n| Tasks | 1 |\n\nEnd");
        assert!(shown.starts_with("A against b\n\n┌") && shown.ends_with("┘\n\nEnd"), "{shown}");
    }
}
