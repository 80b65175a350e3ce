//! The type of a column whose cells are written without one, as in CSV: whole numbers, numbers, booleans, else texts.

use serde_json::Value;

use crate::builder::ColumnBuilder;
use crate::{Column, Texts};

/// A column of what all `cells` can be read as, where empty ones are null; decimals may stand behind a comma.
pub(crate) fn parse_cells(cells: Texts, has_decimal_comma: bool) -> Column {
    let number = if has_decimal_comma { number_with_comma } else { number };
    let parsers: [fn(&str) -> Option<Value>; 3] = [whole, number, boolean];
    for parse in parsers {
        let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else { break };
        if parse(first).is_none() {
            continue;
        }
        let mut column = ColumnBuilder::new(0);
        let all = cells.iter().all(|cell| {
            let value = if cell.is_empty() { Some(Value::Null) } else { parse(cell) };
            value.map(|value| column.push(value)).is_some()
        });
        if all {
            return column.finish();
        }
    }
    Column::Text(cells)
}

/// A whole number; one with a leading zero or plus is an identifier and stays as it is.
fn whole(cell: &str) -> Option<Value> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let plain = digits == "0" || !(digits.starts_with('0') || cell.starts_with('+'));
    cell.parse::<i64>().ok().filter(|_| plain).map(Value::from)
}

/// Rust reads `inf` and `nan` as numbers, which in a file are words; a whole number is left to [`whole`] unless it
/// stands beside others.
fn number(cell: &str) -> Option<Value> {
    let digits = cell.trim_start_matches('-');
    let zeros =
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    cell.trim().parse().ok().filter(|number: &f64| number.is_finite() && !zeros).map(Value::from)
}

/// A number whose decimals stand behind a comma; one with a point is none.
fn number_with_comma(cell: &str) -> Option<Value> {
    (!cell.contains('.')).then(|| number(&cell.replacen(',', ".", 1))).flatten()
}

fn boolean(cell: &str) -> Option<Value> {
    match cell {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}
