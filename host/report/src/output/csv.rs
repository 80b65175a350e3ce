//! CSV without formulas: what a spreadsheet would compute stays text.

use crate::grid::{Grid, Value};
use crate::visible_line;

/// The table as CSV (RFC 4180), scores as shares, nothing for what is missing.
pub fn csv(grid: &Grid) -> String {
    let mut out = String::new();
    line(&mut out, grid.titles.iter().map(|title| text(title)));
    for row in &grid.rows {
        line(&mut out, row.iter().map(cell));
    }
    out
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push_str(&cells.collect::<Vec<_>>().join(","));
    out.push('\n');
}

fn cell(value: &Value) -> String {
    match value {
        Value::None => String::new(),
        Value::Text(value) => text(value),
        Value::Whole(number) => number.to_string(),
        Value::Number(number) | Value::Measured(number) | Value::Share(number) => number.to_string(),
    }
}

/// A text that a spreadsheet shows and does not compute, in one line and without characters that steer a terminal: it begins with an apostrophe where it began as a formula does.
/// Source: OWASP, "CSV Injection".
fn text(text: &str) -> String {
    let text = visible_line(text);
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let text = if is_formula { format!("'{text}") } else { text.into_owned() };
    if text.contains([',', '"', ';', '\t']) || is_formula {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_formula_and_breaks_no_line() {
        let mut grid = Grid::new(["Model", "Mean"]);
        for name in [
            "=cmd|' /C calc'!A0",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "a,b",
            "a\"b\nc",
            "m\u{1b}[2J\r",
            "org/name",
        ] {
            grid.rows.push(vec![name.into(), Value::Share(0.5)]);
        }
        let expected = "Model,Mean\n\"'=cmd|' /C calc'!A0\",0.5\n\"'+1\",0.5\n\"'-1\",0.5\n\"'@SUM(A1)\",0.5\n\\t=1,0.5\n\
                        \"a,b\",0.5\n\"a\"\"b\\nc\",0.5\nm\\u001b[2J\\u000d,0.5\norg/name,0.5\n";
        assert_eq!(csv(&grid), expected);
    }
}
