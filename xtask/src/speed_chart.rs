//! The picture of the README: how many times as fast as the reference, and in how much less memory, from the tables of
//! docs/benchmarks.md.

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use crate::command::root;

const TABLES: &str = "docs/benchmarks.md";
const PICTURE: &str = "docs/pictures/speed.svg";

/// Title of a group of bars, the marked part of the document, and the column that holds the ratios.
const GROUPS: [(&str, &str, &str); 3] = [
    ("Evaluators alone: times as fast as mteb", "evaluators", "times as fast"),
    ("Whole runs with all-MiniLM-L6-v2 in float32: times as fast", "e2e", "times as fast: float32"),
    ("Start of the program and whole runs: times less memory", "start", "times less memory"),
];

const WIDTH: f64 = 860.0;
const LEFT: f64 = 250.0;
const RIGHT: f64 = 60.0;
const ROW: f64 = 17.0;
const TITLE: f64 = 34.0;
/// The right end of the logarithmic axis, which begins at 1.
const MOST: f64 = 1000.0;

const STYLE: &str = "\
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 14px; font-weight: 600 }
  .bar { fill: #1f6fb4 }
  .one { stroke: #666 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd }
    .bar { fill: #6db3f2 }
    .one { stroke: #aaa }
  }
";

/// Writes the picture.
pub fn write() -> Result<ExitCode, String> {
    let path = root().join(PICTURE);
    fs::write(&path, draw_chart()?).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Fails if the picture is not that of the tables.
pub fn check() -> Result<(), String> {
    let found = fs::read_to_string(root().join(PICTURE)).unwrap_or_default();
    let is_same = found == draw_chart()?;
    is_same.then_some(()).ok_or_else(|| {
        format!("{PICTURE}: expected the figures of {TABLES}, found others; run `cargo xtask speed-chart`")
    })
}

fn draw_chart() -> Result<String, String> {
    let path = root().join(TABLES);
    let document = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let of = |(title, name, column)| {
        let bars = bars(&document, name, column);
        if bars.is_empty() {
            Err(format!("{TABLES}: no column `{column}` in `{name}`"))
        } else {
            Ok((title, bars))
        }
    };
    Ok(svg(&GROUPS.into_iter().map(of).collect::<Result<Vec<_>, String>>()?))
}

/// Names and ratios of the rows of the table that has `column`, between the marks of the part `name`.
fn bars<'a>(document: &'a str, name: &str, column: &str) -> Vec<(&'a str, f64)> {
    let part = document.split(&format!("<!-- {name} -->")).nth(1).unwrap_or_default();
    let part = part.split(&format!("<!-- end of {name} -->")).next().unwrap_or_default();
    let mut rows = part.lines().map(cells);
    let Some(place) = rows.find_map(|row| row.iter().position(|cell| *cell == column)) else {
        return Vec::new();
    };
    rows.skip(1)
        .take_while(|row| !row.is_empty())
        .filter_map(|row| Some((*row.first()?, row.get(place)?.parse().ok()?)))
        .collect()
}

/// The cells of a line of a Markdown table; none of another line.
fn cells(line: &str) -> Vec<&str> {
    let row = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    row.map(|row| row.split('|').map(str::trim).collect()).unwrap_or_default()
}

fn svg(groups: &[(&str, Vec<(&str, f64)>)]) -> String {
    let rows: usize = groups.iter().map(|(_, bars)| bars.len()).sum();
    let height = TITLE * groups.len() as f64 + ROW * rows as f64 + 10.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>mteb-host beside mteb: times as fast, times less memory</title>\n<style>\n{STYLE}</style>\n"
    );
    let mut y = 0.0;
    for (title, bars) in groups {
        y += TITLE;
        let _ = writeln!(text, "<text class=\"title\" x=\"{LEFT}\" y=\"{}\">{title}</text>", y - 10.0);
        let _ = writeln!(
            text,
            "<line class=\"one\" x1=\"{LEFT}\" y1=\"{y}\" x2=\"{LEFT}\" y2=\"{}\"/>",
            y + ROW * bars.len() as f64
        );
        for (name, ratio) in bars {
            bar(&mut text, y, name, *ratio);
            y += ROW;
        }
    }
    text + "</svg>\n"
}

fn bar(text: &mut String, y: f64, name: &str, ratio: f64) {
    let length = (ratio.max(1.0).ln() / MOST.ln()).min(1.0) * (WIDTH - LEFT - RIGHT);
    let (left, base) = (LEFT - 8.0, y + 12.5);
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{base}\" text-anchor=\"end\">{name}</text>");
    let _ = writeln!(
        text,
        "<rect class=\"bar\" x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\"/>",
        y + 2.0,
        ROW - 4.0
    );
    let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{base}\">{ratio}</text>", LEFT + length + 6.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_the_table_with_the_column_are_bars() {
        let document = "<!-- a -->\n| x | other |\n|---|---|\n| 1 | 2 |\n\n| task | fast |\n|---|---:|\n| A | 2.5 |\n\
                        | B | |\n| C | 30 |\n\n| D | 4 |\n<!-- end of a -->\n| E | 5 |\n";
        assert_eq!(bars(document, "a", "fast"), [("A", 2.5), ("C", 30.0)]);
        assert_eq!(bars(document, "b", "fast"), []);
        assert_eq!(bars(document, "a", "slow"), []);
    }

    #[test]
    fn a_bar_is_as_long_as_the_logarithm_of_its_ratio() {
        let length = |ratio| {
            let text = svg(&[("t", vec![("a", ratio)])]);
            let width = text.split("width=\"").nth(2).and_then(|rest| rest.split('"').next());
            width.and_then(|width| width.parse::<f64>().ok()).unwrap()
        };
        let whole = length(1000.0);
        assert!((length(10.0) - whole / 3.0).abs() < 0.1 && length(1.0) == 0.0 && length(5000.0) == whole);
    }
}
