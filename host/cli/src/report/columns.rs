//! How wide the columns of a table are: as wide as their cells, and in a narrow terminal no narrower than their words.

use comfy_table::{ColumnConstraint, Table, Width};
use unicode_width::UnicodeWidthStr;

/// The frame at both sides of a table, less the space between columns that stands behind each but the last.
pub const FRAME: usize = 1;
/// The space at both sides of a cell, and between it and the next.
pub const SPACE: usize = 3;
/// The part of it that belongs to the cell.
const PADDING: usize = 2;
/// Columns below which a cell is not made narrower, whatever its words are.
const LEAST: usize = 4;

/// Sets the widths of a table that is wider than `width`: every word stays whole where all can, else those of the widest columns
/// are broken; what room is left goes to the narrowest columns that need it.
pub fn fit(table: &mut Table, width: usize) {
    let wanted = widths(table, |text| text.lines().map(UnicodeWidthStr::width).max());
    let room = width.saturating_sub(FRAME + SPACE * wanted.len());
    if wanted.iter().sum::<usize>() <= room {
        return;
    }
    let words = widths(table, |text| text.split_whitespace().map(UnicodeWidthStr::width).max());
    for (column, width) in shared(&words, &wanted, room).into_iter().enumerate() {
        let width = Width::Fixed(u16::try_from(width + PADDING).unwrap_or(u16::MAX));
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::Absolute(width));
        }
    }
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
fn shared(words: &[usize], wanted: &[usize], room: usize) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_where_all_fit_and_the_widest_column_gives_way_elsewhere() {
        assert_eq!(shared(&[5, 10, 4], &[40, 12, 4], 30), [14, 12, 4]);
        assert_eq!(shared(&[30, 10, 4], &[30, 12, 4], 34), [20, 10, 4]);
        assert_eq!(shared(&[9, 9], &[9, 9], 2), [4, 4]);
    }
}
