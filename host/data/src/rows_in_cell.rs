//! Quoted cells that go on over lines, each of which reads as a row: a quote at the begin of a text may have swallowed rows.

use std::sync::Arc;

/// Lines of a CSV or TSV file that are one row, and each of which reads as a row of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowsInCell {
    /// The file.
    pub file: Arc<str>,
    /// The line on which the row begins.
    pub first_line: usize,
    /// The line on which it ends.
    pub last_line: usize,
}

/// How many line ends a `record` has before its last line, if it has some, each of its lines but blank ones reads as a row of as many
/// `columns`, and these are several: a cell of a file with one column may hold anything.
pub(crate) fn rows_in_cell(record: &[u8], delimiter: u8, columns: usize) -> Option<usize> {
    let record = without_ends(record);
    if columns < 2 || !record.contains(&b'\n') || !record.contains(&b'"') {
        return None;
    }
    let is_row = |line: &[u8]| cells(line, delimiter) == columns;
    let mut lines = record.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let are_rows = lines.clone().filter(|line| !line.is_empty()).all(is_row);
    (are_rows && lines.nth(1).is_some()).then(|| record.iter().filter(|byte| **byte == b'\n').count())
}

/// A record without the line ends around it.
fn without_ends(record: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b'\n' | b'\r');
    let Some(first) = record.iter().position(is_text) else { return &[] };
    let last = record.iter().rposition(is_text).unwrap_or(first);
    &record[first..=last]
}

/// The cells of a line by itself; a quote that it does not close is a character as any other.
fn cells(line: &[u8], delimiter: u8) -> usize {
    let (mut count, mut rest) = (1, line);
    loop {
        let skip = quoted(rest, delimiter).unwrap_or_default();
        match rest[skip..].iter().position(|byte| *byte == delimiter) {
            Some(at) => rest = &rest[skip + at + 1..],
            None => return count,
        }
        count += 1;
    }
}

/// The length of the quoted cell that `line` begins with; `None` if it begins with no quote, or one that is not closed.
fn quoted(line: &[u8], delimiter: u8) -> Option<usize> {
    let mut rest = line.strip_prefix(b"\"")?;
    loop {
        let at = rest.iter().position(|byte| *byte == b'"')?;
        rest = &rest[at + 1..];
        match rest.first() {
            Some(b'"') => rest = &rest[1..],
            Some(byte) if *byte != delimiter => return None,
            _ => return Some(line.len() - rest.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_each_read_as_a_row_are_found() {
        let lines = |record: &str| rows_in_cell(record.as_bytes(), b',', 2);
        assert_eq!(lines("\"Ya, x\nb,y\nkata dia\",z\n"), Some(2));
        assert_eq!(
            rows_in_cell(b"\n\t\"Ya\t\nb\tkata\t\n\t\"\t\n", b'\t', 3),
            Some(2),
            "the outer cells are empty"
        );
        assert_eq!(lines("\"Ya, x\r\nb,y\r\n\r\nkata dia\",z\r\n"), Some(3), "a blank line is no row");
        assert_eq!(
            lines("\"a, b\",\"Ya x\nkata dia, z\"\n"),
            Some(1),
            "the cell before has a comma of its own"
        );
    }

    #[test]
    fn a_cell_whose_lines_are_no_rows_is_one_of_several_lines() {
        let lines = |record: &str| rows_in_cell(record.as_bytes(), b',', 2);
        assert_eq!(lines("\"satu\ndua\",x\n"), None);
        assert_eq!(lines("\"satu, dua\ntiga, empat\",x\n"), None, "the last line has three cells");
        assert_eq!(lines("\"satu, \"\"dua\"\"\",x\n"), None, "one line");
        assert_eq!(rows_in_cell(b"\"satu\ndua\"\n", b',', 1), None);
    }
}
