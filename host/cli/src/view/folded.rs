//! Tables that are wider than the terminal: the columns that do not fit stand in tables below, behind the same names.

use mteb_report::grid::{Grid, Value};
use unicode_width::UnicodeWidthStr;

use super::columns::{FRAME, SPACE};
use crate::output;

/// Columns that a text takes before its cell is broken; that of names is never broken while this is left beside it.
const LEAST_TEXT: usize = 16;

/// `grid` as tables of at most `width` columns. Where it does not fit, columns without a value go and its titles are broken between
/// words; where that is not enough, the rest follows in tables that begin with the first column of text, which names the rows.
pub fn folded(grid: &Grid, width: usize) -> Vec<Grid> {
    let columns = || 0..grid.titles.len();
    let whole = |column: usize| longest_cell(grid, column).max(grid.titles[column].width());
    if FRAME + columns().map(|column| SPACE + whole(column)).sum::<usize>() <= width {
        return vec![grid.clone()];
    }
    let names = names_column(grid);
    let need = |column: usize| {
        let whole = longest_cell(grid, column).max(longest_word(&grid.titles[column]));
        let most = match Some(column) == names {
            true => width.saturating_sub(FRAME + 2 * SPACE + LEAST_TEXT),
            false => LEAST_TEXT,
        };
        if grid.is_number(column) { whole } else { whole.min(most.max(LEAST_TEXT)) }
    };
    let has_values = |column: usize| grid.rows.iter().any(|row| row[column] != Value::None);
    let shown: Vec<(usize, usize)> = columns()
        .filter(|column| Some(*column) == names || has_values(*column))
        .map(|column| (column, need(column)))
        .collect();
    fold(&shown, names, width).iter().map(|columns| part(grid, columns)).collect()
}

/// The column that names the rows: the first one of text.
pub fn names_column(grid: &Grid) -> Option<usize> {
    (0..grid.titles.len()).find(|column| !grid.is_number(*column))
}

/// Columns, each with the width that it needs, in tables of at most `width`: all tables but the first begin with the column `names`.
pub fn fold(columns: &[(usize, usize)], names: Option<usize>, width: usize) -> Vec<Vec<usize>> {
    let of_names = columns.iter().find(|(column, _)| Some(*column) == names);
    let mut tables: Vec<Vec<usize>> = Vec::new();
    let mut table: Vec<usize> = Vec::new();
    let mut used = FRAME;
    for &(column, need) in columns {
        let has_others = table.iter().any(|other| Some(*other) != names);
        if used + SPACE + need > width && has_others && names.is_some_and(|names| names < column) {
            tables.push(std::mem::replace(&mut table, Vec::from_iter(names)));
            used = FRAME + of_names.map_or(0, |(_, need)| SPACE + need);
        }
        used += SPACE + need;
        table.push(column);
    }
    tables.push(table);
    tables
}

/// Some columns of a grid, with titles that are as narrow as the cells below them let them be.
fn part(grid: &Grid, columns: &[usize]) -> Grid {
    let title = |column: usize| {
        let title = &grid.titles[column];
        let width = longest_cell(grid, column).max(longest_word(title));
        output::broken("", title, 0, width)
    };
    let mut part = Grid::new(columns.iter().map(|column| title(*column)));
    let rows = grid.rows.iter();
    part.rows = rows.map(|row| columns.iter().map(|column| row[*column].clone()).collect()).collect();
    part
}

fn longest_cell(grid: &Grid, column: usize) -> usize {
    grid.rows.iter().map(|row| Value::to_text(&row[column]).width()).max().unwrap_or_default()
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(UnicodeWidthStr::width).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let mut grid = Grid::new(["Rank (Borda)", "Model", "Mean (Task)", "Classification", "STS"]);
        let numbers = [Value::Share(0.5), Value::Share(0.25), Value::Share(1.0)];
        grid.rows.push([vec![Value::Whole(1), Value::from("a/model")], numbers.to_vec()].concat());
        grid
    }

    fn titles(width: usize) -> Vec<Vec<String>> {
        folded(&grid(), width).into_iter().map(|grid| grid.titles).collect()
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(folded(&grid(), 80), [grid()]);
    }

    #[test]
    fn columns_without_a_value_go_first_and_names_stay_whole() {
        let mut grid = Grid::new(["Rank", "Model", "Low (tasks)", "High (tasks)", "Mean"]);
        let name = "organisation/a-model-with-a-long-name";
        grid.rows.push(vec![Value::Whole(1), name.into(), Value::None, Value::None, Value::Share(0.5)]);
        let shown = folded(&grid, 64);
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].titles, ["Rank", "Model", "Mean"]);
        assert_eq!(folded(&grid, 120), [grid]);
    }

    #[test]
    fn titles_break_first_and_then_columns_stand_below() {
        let broken = ["Rank\n(Borda)", "Model", "Mean\n(Task)", "Classification", "STS"];
        assert_eq!(titles(56), [broken.map(str::to_owned)]);
        let (first, second) = broken.split_at(3);
        let second = [&["Model"], second].concat();
        assert_eq!(titles(37), [first.to_vec(), second]);
        assert!(titles(5).iter().skip(1).all(|titles| titles.len() == 2 && titles[0] == "Model"));
    }
}
