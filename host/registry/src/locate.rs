//! Faults in TOML texts, with the line and the column of the value that is at fault.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML text in which values can be found by their path.
pub struct Locator<'a> {
    file: &'a str,
    text: &'a str,
    /// Read when the first place is asked for: a text without a fault needs none.
    root: OnceCell<Option<Spanned<DeTable<'a>>>>,
    /// Likewise.
    lines: OnceCell<Lines<'a>>,
}

impl<'a> Locator<'a> {
    /// The places of `text`; a text that is no TOML has none but those of its error.
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, root: OnceCell::new(), lines: OnceCell::new() }
    }

    /// A fault at the value that `path` leads to, or at the deepest part of the path that exists.
    pub fn fault(&self, path: &[&str], message: impl Into<String>) -> Fault {
        self.fault_at(self.span(path), message)
    }

    /// A fault at the key that ends `path`.
    pub fn fault_at_key(&self, path: &[&str], message: impl Into<String>) -> Fault {
        let span = path.split_last().and_then(|(key, table)| {
            let table = self.table(table)?;
            table.get_key_value(*key).map(|(key, _)| key.span())
        });
        self.fault_at(span.or_else(|| self.span(path)), message)
    }

    /// A fault at each value that no field takes and that the schema cannot refuse: a date or time without quotes, which a
    /// table of texts would read as a table, and a number that is not finite, which JSON does not have.
    pub fn faults_at_values(&self) -> Vec<Fault> {
        let mut found = Vec::new();
        if may_hold_foreign(self.text)
            && let Some(root) = self.root()
        {
            root.get_ref().values().for_each(|value| foreign(value, &mut found));
        }
        found.sort_by_key(|(span, _)| span.start);
        found.into_iter().map(|(span, message)| self.fault_at(Some(span), message)).collect()
    }

    /// A fault at a range of bytes.
    pub fn fault_at(&self, span: Option<Range<usize>>, message: impl Into<String>) -> Fault {
        let (line, column) = span.map_or((1, 1), |span| self.lines().position(span.start));
        Fault { file: self.file.to_owned(), line, column, message: message.into(), is_of_data: false }
    }

    fn root(&self) -> Option<&Spanned<DeTable<'a>>> {
        self.root.get_or_init(|| DeTable::parse(self.text).ok()).as_ref()
    }

    fn lines(&self) -> &Lines<'a> {
        self.lines.get_or_init(|| Lines::of(self.text))
    }

    fn table(&self, path: &[&str]) -> Option<&DeTable<'a>> {
        let mut table = self.root()?.get_ref();
        for step in path {
            table = match table.get(*step)?.get_ref() {
                DeValue::Table(inner) => inner,
                _ => return None,
            };
        }
        Some(table)
    }

    fn span(&self, path: &[&str]) -> Option<Range<usize>> {
        let root = self.root()?;
        let (first, rest) = path.split_first()?;
        let (key, mut value) = root.get_ref().get_key_value(*first)?;
        let mut span = place(key.span(), value);
        for step in rest {
            let next = match value.get_ref() {
                DeValue::Table(table) => table.get_key_value(*step).map(|(key, value)| (key.span(), value)),
                DeValue::Array(cells) => step
                    .parse()
                    .ok()
                    .and_then(|index: usize| cells.get(index))
                    .map(|cell| (cell.span(), cell)),
                _ => None,
            };
            let Some((key_span, next)) = next else { break };
            value = next;
            span = place(key_span, value);
        }
        Some(span)
    }
}

/// A plain value is pointed at itself, a table by its key: its own span may be its header.
fn place(key: Range<usize>, value: &Spanned<DeValue>) -> Range<usize> {
    match value.get_ref() {
        DeValue::Table(_) => key,
        _ => value.span(),
    }
}

/// True if something like `1979-`, `07:` or `nan` stands where a value may begin. It may also stand so inside a text; the
/// check only spares most files a second reading.
fn may_hold_foreign(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_start = |at: usize| {
        let (day, time) = (bytes.get(at + 4) == Some(&b'-'), bytes.get(at + 2) == Some(&b':'));
        let is_date = (day || time) && bytes[at..].iter().take(2).all(u8::is_ascii_digit);
        let unsigned =
            bytes[at..].strip_prefix(b"+").or(bytes[at..].strip_prefix(b"-")).unwrap_or(&bytes[at..]);
        is_date || unsigned.starts_with(b"nan") || unsigned.starts_with(b"inf")
    };
    let follows_value = |at: usize| matches!(bytes[at], b'=' | b' ' | b'\t' | b'\n' | b',' | b'[' | b'{');
    (1..bytes.len()).any(|at| follows_value(at - 1) && is_start(at))
}

fn foreign(value: &Spanned<DeValue>, found: &mut Vec<(Range<usize>, String)>) {
    match value.get_ref() {
        DeValue::Datetime(_) => {
            let message =
                "expected no date or time without quotes, found one; write it as a string, in quotes";
            found.push((value.span(), message.to_owned()));
        }
        DeValue::Float(number) if number.as_str().contains(['n', 'i']) => {
            found.push((value.span(), format!("expected a finite number, found: {}", number.as_str())));
        }
        DeValue::Table(table) => table.values().for_each(|value| foreign(value, found)),
        DeValue::Array(cells) => cells.iter().for_each(|value| foreign(value, found)),
        _ => {}
    }
}

/// Bytes between two places whose letters were counted.
const BLOCK: usize = 1024;

/// A text, and where its lines begin.
struct Lines<'a> {
    text: &'a str,
    /// The first byte of each line.
    starts: Vec<usize>,
    /// Letters before each block.
    letters: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`.
    pub fn of(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        let (mut letters, mut before) = (vec![0], 0);
        for block in text.as_bytes().chunks(BLOCK) {
            before += count_letters(block);
            letters.push(before);
        }
        Self { text, starts, letters }
    }

    /// The line and the column of a byte, both from 1; of the text's end, if it has no such byte.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let byte = self.text.floor_char_boundary(byte);
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        (line, self.letters_before(byte) - self.letters_before(start) + 1)
    }

    fn letters_before(&self, byte: usize) -> usize {
        let block = byte / BLOCK;
        let counted = self.letters.get(block).copied().unwrap_or_default();
        counted + count_letters(&self.text.as_bytes()[block * BLOCK..byte])
    }
}

/// How many letters begin in `bytes` of UTF-8.
fn count_letters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

/// One fault of a card, a registry or data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// Line, starting at 1; 0 if the fault has no line.
    pub line: usize,
    /// Column, starting at 1.
    pub column: usize,
    /// What was expected, what was found, what to do.
    pub message: String,
    /// True if the card is sound by itself, and the data that it names is not there, or not where it may be.
    #[serde(skip)]
    pub is_of_data: bool,
}

impl Fault {
    /// A fault of the whole file.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, column: 0, message: message.into(), is_of_data: false }
    }

    /// The same, of data that is not there.
    pub fn of_data(self) -> Self {
        Self { is_of_data: true, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.line == 0 {
            write!(formatter, "{}: {}", self.file, self.message)
        } else {
            write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_is_found_by_its_path() {
        let text = "name = \"a\"\n\n[subsets]\nind = { languages = [\"ind-Latn\", \"xx\"] }\n";
        let locator = Locator::new("card.toml", text);
        let fault = locator.fault(&["subsets", "ind", "languages", "1"], "no such language");
        assert_eq!(fault.to_string(), "card.toml:4:34: no such language");
        assert_eq!(locator.fault(&["name"], "x").to_string(), "card.toml:1:8: x");
        assert_eq!(locator.fault(&["subsets", "jav"], "x").to_string(), "card.toml:3:2: x");
        assert_eq!(locator.fault(&["absent"], "x").to_string(), "card.toml:1:1: x");
    }

    #[test]
    fn a_date_without_quotes_is_found_wherever_it_is() {
        let text = "date = [\"2026-11-01\", \"2026-11-30\"]\ncolumns = { a = 1979-05-27, b = [07:32:00] }\n";
        let faults = Locator::new("card.toml", text).faults_at_values();
        assert_eq!(
            faults.iter().map(|fault| (fault.line, fault.column)).collect::<Vec<_>>(),
            [(2, 17), (2, 34)]
        );
        assert_eq!(Locator::new("card.toml", "citation = \"year 1979-05-27\"").faults_at_values(), []);
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_wherever_it_is() {
        let text = "information = \"inf nan\"\nmin_score = nan\nlimits = [-inf, 1.0]\n";
        let faults = Locator::new("card.toml", text).faults_at_values();
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            faults,
            [
                "card.toml:2:13: expected a finite number, found: nan",
                "card.toml:3:11: expected a finite number, found: -inf"
            ]
        );
    }

    /// As the definition has it.
    fn counted(text: &str, byte: usize) -> (usize, usize) {
        let before = &text[..text.floor_char_boundary(byte)];
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    proptest! {
        #[test]
        fn every_byte_has_the_line_and_the_column_that_counting_gives(text in "[aé\n😀]{0,3000}", byte in 0_usize..9000) {
            prop_assert_eq!(Lines::of(&text).position(byte), counted(&text, byte));
        }
    }
}
