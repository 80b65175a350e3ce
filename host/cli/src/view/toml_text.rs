//! TOML that fits the terminal and says the same: long texts go on in lines below, whose ends are escaped.

use unicode_width::UnicodeWidthStr;

use crate::output;

/// The lines of `toml`, as the terminal takes them; as they are where there is none.
pub fn toml_text(toml: &str) -> String {
    let Some(width) = output::table_width() else { return toml.to_owned() };
    let mut is_inside = false;
    let line = |line: &str| {
        let was_inside = is_inside;
        is_inside ^= line.matches("\"\"\"").count() == 1;
        if was_inside && is_inside { within(line, width.into()) } else { fitted(line, width.into()) }
    };
    toml.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A line of a text of several lines, broken where it is too long.
fn within(line: &str, width: usize) -> String {
    let text = line.trim_start_matches(' ');
    if line.width() <= width || text.contains("  ") {
        return line.to_owned();
    }
    let indent = line.len() - text.len();
    output::broken(&line[..indent], text, indent + 2, width.saturating_sub(2)).replace('\n', " \\\n")
}

/// A line `key = "text"` that is too long as a text of several lines.
fn fitted(line: &str, width: usize) -> String {
    const INDENT: usize = 4;
    // Room for a space and a backslash behind a line, or the quotes behind the last.
    const END: usize = 3;
    let text = line.split_once(" = \"").and_then(|(key, rest)| Some((key, rest.strip_suffix('"')?)));
    // Where a line ends, one space is all that can be told from the indent of the next.
    let can_break = |text: &str| text.contains(' ') && !text.contains("  ");
    let Some((key, text)) = text.filter(|(_, text)| line.width() > width && can_break(text)) else {
        return line.to_owned();
    };
    let margin = " ".repeat(INDENT);
    let broken = output::broken(&margin, text, INDENT, width.saturating_sub(END));
    format!("{key} = \"\"\"\\\n{}\"\"\"", broken.replace('\n', " \\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_says_the_same_in_several_lines() {
        let line = "description = \"Claims of \\\"experts\\\" and the abstracts that support or refute each of them.\"";
        let fitted = fitted(line, 30);
        assert!(fitted.lines().all(|line| line.width() <= 30) && fitted.lines().count() > 3, "{fitted}");
        let read = |toml: &str| toml::from_str::<toml::Table>(toml).unwrap();
        assert_eq!(read(&fitted), read(line));
    }
}
