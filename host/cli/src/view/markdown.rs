//! Markdown of the host's own, as people read it in a terminal: tables and lines that fit it.

use super::table::drawn;
use crate::output;

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
            shown.push(of_rows(&std::mem::take(&mut rows)));
        }
        shown.push(output::prose(&plain(line.trim_start_matches('#').trim_start())));
    }
    shown.join("\n").trim_end().to_owned()
}

/// A table whose second line says on which side cells stand.
fn of_rows(rows: &[&str]) -> String {
    let mut rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    let sides = if rows.len() > 1 { rows.remove(1) } else { Vec::new() };
    let is_right: Vec<bool> = sides.iter().map(|side| side.ends_with(':')).collect();
    drawn(&rows, &is_right)
}

/// The cells of a row, between bars that are not escaped.
fn cells(row: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for character in row.trim().trim_start_matches('|').chars() {
        if character == '|' && !is_escaped {
            cells.push(plain(cell.trim()));
            cell.clear();
            continue;
        }
        is_escaped = character == '\\' && !is_escaped;
        cell.push(character);
    }
    cells
}

/// The text that is escaped in `markdown`.
fn plain(markdown: &str) -> String {
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
    fn tables_are_drawn_and_escapes_are_read() {
        assert_eq!(cells("| a \\| b | 1 |"), ["a | b", "1"]);
        assert_eq!(plain("x\\_y &lt;z&gt; &amp;amp;"), "x_y <z> &amp;");
        let shown = markdown_text("# A against b\n\n| | won |\n|---|---:|\n| Tasks | 1 |\n\nEnd");
        assert!(shown.starts_with("A against b\n\n┌") && shown.ends_with("┘\n\nEnd"), "{shown}");
    }
}
