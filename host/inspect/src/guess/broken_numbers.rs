//! Columns of numbers that are none: with decimal commas, or with a few cells of other texts, such as `N/A`.

use mteb_data::{Column, Table};

use super::columns::{CellKind, ColumnFacts};

/// Share of the cells that must be numbers.
const MOST: f64 = 0.6;

/// What is wrong with a column that most likely should hold numbers, and what to do; `None` of any other. Those that are `named` by the user
/// are what the user says.
pub fn broken_numbers(
    table: &Table,
    facts: &ColumnFacts,
    named: &[(String, String)],
) -> Option<BrokenNumbers> {
    let is_named = named.iter().any(|(_, from)| *from == facts.name);
    if facts.kind != CellKind::Text || facts.is_id() || is_named {
        return None;
    }
    let Column::Text(cells) = table.get(&facts.name)? else { return None };
    let cells: Vec<(usize, &str)> = cells
        .iter()
        .enumerate()
        .map(|(row, cell)| (row, cell.trim()))
        .filter(|(_, cell)| !cell.is_empty())
        .collect();
    let others: Vec<&(usize, &str)> = cells.iter().filter(|(_, cell)| !is_number(cell)).collect();
    let commas: Vec<&&(usize, &str)> = others.iter().filter(|(_, cell)| is_with_comma(cell)).collect();
    let rest = others.len() - commas.len();
    if others.is_empty() || ((cells.len() - rest) as f64) < MOST * cells.len() as f64 {
        return None;
    }
    let column = facts.name.clone();
    if rest == 0 {
        let (row, cell) = commas.first()?;
        let (location, cell) = (table.location(*row), (*cell).to_owned());
        return Some(BrokenNumbers::Commas { location, column, cell });
    }
    let (row, cell) = others.iter().find(|(_, cell)| !is_with_comma(cell))?;
    Some(BrokenNumbers::Other {
        location: table.location(*row),
        column,
        numbers: cells.len() - rest,
        rows: cells.len(),
        cell: cell.chars().take(40).collect(),
    })
}

/// What is wrong with a column of numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenNumbers {
    /// They have decimal commas.
    #[error(
        "{location}: the numbers of `{column}` have decimal commas, as “{cell}”; add `--decimal ,`, or name the type with \
         `--type`"
    )]
    Commas {
        /// Where the first of them is.
        location: String,
        /// The column.
        column: String,
        /// The cell there.
        cell: String,
    },
    /// A cell is no number.
    #[error(
        "{location}: expected a number in `{column}`, as in {numbers} of {rows} rows, found “{cell}”; remove the row or write \
         a number, or name the type with `--type`"
    )]
    Other {
        /// Where it is.
        location: String,
        /// The column.
        column: String,
        /// Cells that are numbers, those with a comma among them.
        numbers: usize,
        /// Cells that are not empty.
        rows: usize,
        /// What the cell begins with.
        cell: String,
    },
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_with_comma(cell: &str) -> bool {
    !is_number(cell) && cell.matches(',').count() == 1 && is_number(&cell.replace(',', "."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guess::column_facts;

    fn said(cells: &[&str]) -> Option<String> {
        let column = Column::Text(cells.iter().copied().collect());
        let table = Table::new("rows.csv", vec![("score".to_owned(), column)]).unwrap();
        broken_numbers(&table, &column_facts(&table)[0], &[]).map(|broken| broken.to_string())
    }

    #[test]
    fn a_few_other_cells_and_decimal_commas_are_named() {
        let absent = said(&["3.5", "N/A", "1", "2"]).unwrap();
        assert!(absent.contains("expected a number in `score`, as in 3 of 4 rows, found “N/A”"), "{absent}");
        assert!(absent.contains("row 2"), "{absent}");
        assert!(said(&["3,5", "1", "0,25"]).unwrap().contains("decimal commas, as “3,5”; add `--decimal ,`"));
        assert!(said(&["3,5", "-", "1", "2", "4"]).unwrap().contains("found “-”"));
        assert_eq!(said(&["3.5", "1", ""]), None);
        assert_eq!(said(&["Harga 3", "N/A", "1"]), None, "texts");
    }
}
