//! Quoted cells that go on over lines which read as rows: a quote at the begin of a text may have swallowed rows.

use std::sync::Arc;

/// Lines of a CSV or TSV file that are one row, and some or all of which read as a row of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowsInCell {
    /// The file.
    pub file: Arc<str>,
    /// The line on which the row begins.
    pub first_line: usize,
    /// The line on which it ends.
    pub last_line: usize,
    /// How many of the lines do not read as a row, blank ones not counted.
    pub other_lines: usize,
}

/// From how many lines on that read as rows nobody takes them for a text of several lines, if few of the others are not.
const MANY: usize = 4;

/// What the lines of a record with a line end in a cell say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinesOfCell {
    /// Line ends before the last line.
    pub more: usize,
    /// Lines that do not read as a row, blank ones not counted.
    pub other_lines: usize,
    /// How likely the lines are rows.
    pub reads: ReadAs,
}

/// What the lines of a cell may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadAs {
    /// A text of several lines.
    Text,
    /// Rows or a text: half of the lines read as rows or more, as those of a text with commas may by chance.
    Either,
    /// Rows: all lines read so, or many; between tabs, which texts seldom have, one does.
    Rows,
}

/// The lines of a `record` of a file with as many `columns`, if a quoted cell of it goes on over several, and the file has several
/// columns: a cell of a file with one may hold anything.
pub(crate) fn lines_of_cell(record: &[u8], delimiter: u8, columns: usize) -> Option<LinesOfCell> {
    let record = without_ends(record);
    if columns < 2 || !record.contains(&b'\n') || !record.contains(&b'"') {
        return None;
    }
    let lines = lines(record, delimiter, columns);
    let more = record.iter().filter(|byte| **byte == b'\n').count();
    let other_lines = lines.iter().filter(|line| !line.is_row).count();
    // The first line of a text in the last column, and the last one of a text in the first column, read as rows whatever they hold.
    let behind_first = lines.iter().skip(1).filter(|line| line.has_own_delimiters || !line.is_row);
    let (rows, others): (Vec<_>, Vec<_>) = behind_first.partition(|line| line.is_row);
    let (rows, others) = (rows.len(), others.len());
    let reads =
        if other_lines == 0 || (rows >= MANY && rows >= 3 * others) || (rows > 0 && delimiter == b'\t') {
            ReadAs::Rows
        } else if rows > 0 && rows >= others {
            ReadAs::Either
        } else {
            ReadAs::Text
        };
    Some(LinesOfCell { more, other_lines, reads })
}

/// One line of a record.
struct Line {
    /// True if it has as many cells as the file has columns.
    is_row: bool,
    /// True if delimiters in it stand within a quoted cell.
    has_own_delimiters: bool,
}

/// The lines of a `record` but blank ones.
fn lines(record: &[u8], delimiter: u8, columns: usize) -> Vec<Line> {
    let (mut is_quoted, mut cell_begins) = (false, true);
    let mut found = Vec::new();
    for line in record.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut has_own_delimiters = false;
        for &byte in line {
            if byte == b'"' && (is_quoted || cell_begins) {
                // A doubled quote within quotes closes and opens again.
                is_quoted = !is_quoted;
            }
            has_own_delimiters |= is_quoted && byte == delimiter;
            cell_begins = !is_quoted && (byte == delimiter || byte == b'"');
        }
        if !line.is_empty() {
            found.push(Line { is_row: cells(line, delimiter) == columns, has_own_delimiters });
        }
    }
    found
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

    fn reads(record: &str, delimiter: u8, columns: usize) -> (usize, usize, ReadAs) {
        let found = lines_of_cell(record.as_bytes(), delimiter, columns).unwrap();
        (found.more, found.other_lines, found.reads)
    }

    #[test]
    fn lines_that_each_read_as_a_row_are_found() {
        let lines = |record: &str| reads(record, b',', 2);
        assert_eq!(lines("\"Ya, x\nb,y\nkata dia\",z\n"), (2, 0, ReadAs::Rows));
        let outer_are_empty = reads("\n\t\"Ya\t\nb\tkata\t\n\t\"\t\n", b'\t', 3);
        assert_eq!(outer_are_empty, (2, 0, ReadAs::Rows));
        assert_eq!(
            lines("\"Ya, x\r\nb,y\r\n\r\nkata dia\",z\r\n"),
            (3, 0, ReadAs::Rows),
            "a blank line is no row"
        );
        let cell_before_has_a_comma = lines("\"a, b\",\"Ya x\nkata dia, z\"\n");
        assert_eq!(cell_before_has_a_comma, (1, 0, ReadAs::Rows));
    }

    #[test]
    fn one_line_that_is_no_row_does_not_hide_the_others() {
        let tabs = "\"Halo\tdua\t2\na\tb\t0\ncatatan\nc\td\t1\ne\"\tf\t3\n";
        assert_eq!(reads(tabs, b'\t', 3), (4, 1, ReadAs::Rows));
        let remarks = "\"Halo\tdua\t2\nsatu\ndua\ntiga\nc\td\t1\ne\"\tf\t3\n";
        assert_eq!(reads(remarks, b'\t', 3), (5, 3, ReadAs::Rows), "texts have no tabs");
        let commas = "\"Halo,dua,2\na,b,0\nc,d,1\nx,y,z,1\ne,f,0\ng,h,1\ni\",j,3\n";
        assert_eq!(reads(commas, b',', 3), (6, 1, ReadAs::Rows), "four of five");
        assert_eq!(reads("\"Halo,dua,2\n,,\nlima,x\",enam,3\n", b',', 3), (2, 1, ReadAs::Either));
    }

    #[test]
    fn a_cell_whose_lines_are_no_rows_is_one_of_several_lines() {
        let is_text = |record: &str| reads(record, b',', 2).2 == ReadAs::Text;
        assert!(is_text("\"satu\ndua\",x\n"), "the last line has a label by itself");
        assert!(is_text("\"satu, dua\ntiga, empat\",x\n"), "the last line has three cells");
        assert!(is_text("\"satu, dua\ntiga\nempat, lima\nenam\ntujuh\",x\n"), "one line of three");
        assert!(is_text("\"satu\ndua\",\"tiga\nempat\"\n"), "two texts, and the comma between them");
        assert_eq!(lines_of_cell(b"\"satu, \"\"dua\"\"\",x\n", b',', 2), None, "one line");
        assert_eq!(lines_of_cell(b"\"satu\ndua\"\n", b',', 1), None, "one column");
    }
}
