//! How wide the columns of a table are: as wide as their cells, and in a narrow terminal no
//! narrower than their words. Columns that do not fit stand in tables below, behind the same names.

use comfy_table::{ColumnConstraint, Table, Width};
use mteb_report::grid::{Grid, Value};
use unicode_width::UnicodeWidthStr;

use crate::output;

/// The frame at both sides of a table, less the space between columns that stands behind each but the last.
const FRAME: usize = 1;
/// The space at both sides of a cell, and between it and the next.
const SPACE: usize = 3;
/// The part of it that belongs to the cell.
const PADDING: usize = 2;
/// Columns below which a cell is not made narrower, whatever its words are.
const LEAST: usize = 4;

/// How wide the first column is, which has names, and which columns stand beside it in `width` columns with their words whole, itself
/// included; those that `order` names find room first. Names that take more than three fifths of the width are to go on below where
/// their parts begin, as few are so long.
pub fn fit_beside_names(rows: &[Vec<String>], width: usize, order: &[usize]) -> (usize, Vec<usize>) {
    let widest = |column: usize, of: &dyn Fn(&str) -> usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| of(cell)).max().unwrap_or_default()
    };
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let names = widest(0, &|name| name.width()).min((width * 3 / 5).max(LEAST));
    let mut room = width.saturating_sub(FRAME + SPACE + names);
    let mut found = vec![0];
    let others = (1..count).filter(|column| !order.contains(column));
    for column in order.iter().copied().chain(others) {
        let wanted = SPACE + widest(column, &|cell| longest_word(cell).unwrap_or_default());
        if wanted <= room {
            room -= wanted;
            found.push(column);
        }
    }
    found.sort_unstable();
    (names, found)
}

/// Sets the widths of a table that is wider than `width`: every word stays whole where all can, else those of the widest columns
/// are broken; what room is left goes to the narrowest columns that need it. The column `names` stays as wide as it is.
pub fn fit(table: &mut Table, width: usize, names: Option<usize>) {
    let wanted = widths(table, |text| text.lines().map(UnicodeWidthStr::width).max());
    let room = width.saturating_sub(FRAME + SPACE * wanted.len());
    if wanted.iter().sum::<usize>() <= room {
        return;
    }
    let mut words = widths(table, longest_word);
    if let Some(names) = names
        && let (Some(width), Some(whole)) = (words.get_mut(names), wanted.get(names))
    {
        *width = *whole;
    }
    for (column, width) in share_room(&words, &wanted, room).into_iter().enumerate() {
        let width = Width::Fixed(u16::try_from(width + PADDING).unwrap_or(u16::MAX));
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::Absolute(width));
        }
    }
}

/// The widest part of a text that is not to be broken: a word, and all of a line that is short.
pub fn longest_word(text: &str) -> Option<usize> {
    const SHORT: usize = 12;
    let of_line = |line: &str| match line.width() {
        width if width <= SHORT => width,
        _ => line.split(' ').map(UnicodeWidthStr::width).max().unwrap_or_default(),
    };
    text.lines().map(of_line).max()
}

/// The rows of a table, its titles the first of them, for `width` columns: a word that is wider than its column is broken where its
/// parts begin.
pub fn break_cells(rows: &[Vec<String>], width: usize) -> Vec<Vec<String>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let of = |measure: &dyn Fn(&str) -> Option<usize>| -> Vec<usize> {
        let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
        let widest = |column| cells(column).filter_map(|cell| measure(cell)).max().unwrap_or_default().max(1);
        (0..count).map(widest).collect()
    };
    let wanted = of(&|text| text.lines().map(UnicodeWidthStr::width).max());
    let widths = share_room(&of(&longest_word), &wanted, width.saturating_sub(FRAME + SPACE * count));
    let cell = |(cell, width): (&String, &usize)| {
        let words: Vec<String> = cell.split(' ').map(|word| break_word(word, *width)).collect();
        words.join(" ")
    };
    rows.iter().map(|row| row.iter().zip(&widths).map(cell).collect()).collect()
}

/// A word in lines of at most `width` columns where its parts let it: before a capital letter, and behind `_`, `-` and `/`.
pub fn break_word(word: &str, width: usize) -> String {
    if word.width() <= width {
        return word.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in word.chars() {
        let is_begin = (character.is_uppercase() && last.is_lowercase()) || matches!(last, '_' | '-' | '/');
        match parts.last_mut().filter(|_| !is_begin) {
            Some(part) => part.push(character),
            None => parts.push(character.to_string()),
        }
        last = character;
    }
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut().filter(|line| line.width() + part.width() <= width) {
            Some(line) => line.push_str(&part),
            None => lines.push(part),
        }
    }
    lines.join("\n")
}

/// The widest cell of each column by `of`, its title included.
fn widths(table: &mut Table, of: impl Fn(&str) -> Option<usize>) -> Vec<usize> {
    let mut widths = vec![1; table.column_count()];
    for row in table.header().into_iter().chain(table.row_iter()) {
        for (width, cell) in widths.iter_mut().zip(row.cell_iter()) {
            *width = of(&cell.content()).unwrap_or_default().max(*width);
        }
    }
    widths
}

/// Widths of which the sum is `room`: at least `words`, made narrower from the widest on where these do not fit, at most `wanted`.
fn share_room(words: &[usize], wanted: &[usize], room: usize) -> Vec<usize> {
    let mut widths = words.to_vec();
    while widths.iter().sum::<usize>() > room
        && let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > LEAST)
    {
        *widest -= 1;
    }
    while widths.iter().sum::<usize>() < room
        && let Some((width, _)) =
            widths.iter_mut().zip(wanted).filter(|(width, wanted)| **width < **wanted).min()
    {
        *width += 1;
    }
    widths
}

/// Columns that a text takes before its cell is broken; that of names is never broken while this is left beside it.
const LEAST_TEXT: usize = 16;

/// `grid` as tables of at most `width` columns. Where it does not fit, columns without a value go and its titles are broken between
/// words; where that is not enough, the rest follows in tables that begin with the first column of text, which names the rows.
pub fn fold_grid(grid: &Grid, width: usize) -> Vec<Grid> {
    let columns = || 0..grid.titles.len();
    let whole = |column: usize| longest_cell(grid, column).max(grid.titles[column].width());
    if FRAME + columns().map(|column| SPACE + whole(column)).sum::<usize>() <= width {
        return vec![grid.clone()];
    }
    let names = names_column(grid);
    let need = |column: usize| {
        let whole = longest_cell(grid, column).max(width_of_longest_word(&grid.titles[column]));
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
        let width = longest_cell(grid, column).max(width_of_longest_word(title));
        output::wrap_behind("", title, 0, width)
    };
    let mut part = Grid::new(columns.iter().map(|column| title(*column)));
    let rows = grid.rows.iter();
    part.rows = rows.map(|row| columns.iter().map(|column| row[*column].clone()).collect()).collect();
    part
}

fn longest_cell(grid: &Grid, column: usize) -> usize {
    grid.rows.iter().map(|row| Value::to_text(&row[column]).width()).max().unwrap_or_default()
}

fn width_of_longest_word(text: &str) -> usize {
    text.split(' ').map(UnicodeWidthStr::width).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_where_all_fit_and_the_widest_column_gives_way_elsewhere() {
        assert_eq!(share_room(&[5, 10, 4], &[40, 12, 4], 30), [14, 12, 4]);
        assert_eq!(share_room(&[30, 10, 4], &[30, 12, 4], 34), [20, 10, 4]);
        assert_eq!(share_room(&[9, 9], &[9, 9], 2), [4, 4]);
    }

    #[test]
    fn names_stay_whole_and_other_columns_go_first() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows =
            [row(["name", "type", "about", "size"]), row(["org/a-model", "STS", "a-very-long-word", "1"])];
        assert_eq!(fit_beside_names(&rows, 80, &[]), (11, vec![0, 1, 2, 3]));
        assert_eq!(fit_beside_names(&rows, 30, &[]), (11, vec![0, 1, 3]));
        assert_eq!(fit_beside_names(&rows, 24, &[3]), (11, vec![0, 3]));
        assert_eq!(fit_beside_names(&rows, 8, &[]), (4, vec![0]));
    }

    #[test]
    fn a_word_is_broken_where_its_parts_begin() {
        assert_eq!(break_word("IndonesianNewsClustering", 15), "IndonesianNews\nClustering");
        assert_eq!(break_word("org/a-model", 8), "org/a-\nmodel");
        assert_eq!(break_word("cosine_spearman", 20), "cosine_spearman");
        let row =
            |name: &str, time: &str| vec![name.to_owned(), "Classification".to_owned(), time.to_owned()];
        let rows = [row("Task", "Time"), row("IndonesianFormality", "0.1 s")];
        assert_eq!(break_cells(&rows, 43)[1], ["Indonesian\nFormality", "Classification", "0.1 s"]);
    }

    fn grid() -> Grid {
        let mut grid = Grid::new(["Rank (Borda)", "Model", "Mean (Task)", "Classification", "STS"]);
        let numbers = [Value::Share(0.5), Value::Share(0.25), Value::Share(1.0)];
        grid.rows.push([vec![Value::Whole(1), Value::from("a/model")], numbers.to_vec()].concat());
        grid
    }

    fn titles(width: usize) -> Vec<Vec<String>> {
        fold_grid(&grid(), width).into_iter().map(|grid| grid.titles).collect()
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(fold_grid(&grid(), 80), [grid()]);
    }

    #[test]
    fn columns_without_a_value_go_first_and_names_stay_whole() {
        let mut grid = Grid::new(["Rank", "Model", "Low (tasks)", "High (tasks)", "Mean"]);
        let name = "organisation/a-model-with-a-long-name";
        grid.rows.push(vec![Value::Whole(1), name.into(), Value::None, Value::None, Value::Share(0.5)]);
        let shown = fold_grid(&grid, 64);
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].titles, ["Rank", "Model", "Mean"]);
        assert_eq!(fold_grid(&grid, 120), [grid]);
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
