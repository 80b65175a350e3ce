//! A table as LaTeX with booktabs: the best of a column, or of a row, bold, the second underlined.

use std::fmt::Write;

use crate::grid::{Grid, Value};

/// The table as a `tabular`; needs `\usepackage{booktabs}`.
pub fn latex(grid: &Grid) -> String {
    let align: String =
        (0..grid.titles.len()).map(|column| if grid.is_number(column) { 'r' } else { 'l' }).collect();
    let titles: Vec<String> = grid.titles.iter().map(|title| escape(title)).collect();
    let mut out =
        format!("\\begin{{tabular}}{{{align}}}\n\\toprule\n{} \\\\\n\\midrule\n", titles.join(" & "));
    let columns = 0..grid.titles.len();
    let of_columns: Vec<[Option<f64>; 2]> = columns.map(|column| best_of_column(grid, column)).collect();
    for row in &grid.rows {
        let of_row = grid.is_compared_by_row.then(|| best_two(row.iter()));
        let best = of_columns.iter().map(|of_column| of_row.as_ref().unwrap_or(of_column));
        let cells: Vec<String> = row.iter().zip(best).map(|(value, best)| cell(value, best)).collect();
        let _ = writeln!(out, "{} \\\\", cells.join(" & "));
    }
    out + "\\bottomrule\n\\end{tabular}\n"
}

/// A score as it is printed: equal digits share a place.
fn round_as_printed(share: f64) -> f64 {
    (share * 10_000.0).round()
}

fn best_of_column(grid: &Grid, column: usize) -> [Option<f64>; 2] {
    if grid.uncompared.contains(&column) {
        return [None; 2];
    }
    best_two(grid.rows.iter().map(|row| &row[column]))
}

fn best_two<'a>(values: impl Iterator<Item = &'a Value>) -> [Option<f64>; 2] {
    let score = |value: &Value| match value {
        Value::Share(share) => Some(round_as_printed(*share)),
        _ => None,
    };
    let mut scores: Vec<f64> = values.filter_map(score).collect();
    scores.sort_by(|left, right| right.total_cmp(left));
    scores.dedup();
    [scores.first().copied(), scores.get(1).copied()]
}

fn cell(value: &Value, best: &[Option<f64>; 2]) -> String {
    let shown = match value {
        Value::None => "--".to_owned(),
        other => escape(&other.to_text()),
    };
    match value {
        Value::Share(share) if Some(round_as_printed(*share)) == best[0] => format!("\\textbf{{{shown}}}"),
        Value::Share(share) if Some(round_as_printed(*share)) == best[1] => format!("\\underline{{{shown}}}"),
        _ => shown,
    }
}

/// Text of others as text: no command, no group, no end of a row.
fn escape(text: &str) -> String {
    let text = crate::visible(text);
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '\n' | '\t' => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_bold_the_second_underlined_and_names_stay_text() {
        let mut grid = Grid::new(["Model", "Mean"]);
        let names = [r"a\input{x}", "b_c & 100 %", "d"];
        for (name, score) in names.iter().zip([0.5, 0.700_01, 0.699_99]) {
            grid.rows.push(vec![(*name).into(), Value::Share(score)]);
        }
        grid.rows.push(vec!["e".into(), Value::None]);
        let expected = "\\begin{tabular}{lr}\n\\toprule\nModel & Mean \\\\\n\\midrule\n\
                        a\\textbackslash{}input\\{x\\} & \\underline{50.00} \\\\\nb\\_c \\& 100 \\% & \\textbf{70.00} \\\\\n\
                        d & \\textbf{70.00} \\\\\ne & -- \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(latex(&grid), expected);
    }

    #[test]
    fn a_table_with_a_task_a_row_has_the_best_of_each_row() {
        let mut grid = Grid::new(["Dataset", "a", "b"]).compare_by_row();
        grid.rows.push(vec!["T".into(), Value::Share(0.5), Value::Share(0.4)]);
        grid.rows.push(vec!["U".into(), Value::Share(0.1), Value::Share(0.3)]);
        let made = latex(&grid);
        assert!(made.contains("T & \\textbf{50.00} & \\underline{40.00}"), "{made}");
        let mut of_columns = Grid { is_compared_by_row: false, uncompared: vec![1], ..grid };
        of_columns.rows.truncate(1);
        assert!(latex(&of_columns).contains("T & 50.00 & \\textbf{40.00}"), "{}", latex(&of_columns));
        assert!(made.contains("U & \\underline{10.00} & \\textbf{30.00}"), "{made}");
    }
}
