//! CSV and TSV files with a header line, and judgements in TREC's form, which have none.

use std::io::{self, Read};
use std::sync::Arc;

use csv::{ByteRecord, ErrorKind, Position, ReaderBuilder};
use serde_json::Value;

use crate::builder::parse_cells;
use crate::input::{BUFFER, Input};
use crate::place::{Counting, Places};
use crate::read_rows::{COLUMNS, ReadRows, Wanted, too_many_columns};
use crate::rows_in_cell::{LinesOfCell, ReadAs, RowsInCell, lines_of_cell};
use crate::trec::{OneTab, TrecColumns, trec_columns};
use crate::utf8::not_utf8;
use crate::{Column, DataError, Table, Texts};

/// What the four columns of TREC's judgements hold.
const TREC: [&str; 4] = ["query-id", "iteration", "corpus-id", "score"];

/// Rows of cells that a delimiter separates.
///
/// A column whose cells are all numbers holds numbers, one whose cells are all `true` or `false` holds booleans, where
/// empty cells are null; every other column holds texts, and so does one of ids, whose empty cells are null too.
pub struct Delimited {
    place: String,
    reader: csv::Reader<Tail>,
    delimiter: u8,
    /// True if quotes have a meaning.
    has_quotes: bool,
    /// True if decimals stand behind a comma.
    has_decimal_comma: bool,
    names: Vec<String>,
    wanted: Vec<bool>,
    ids: Vec<bool>,
}

impl Delimited {
    /// Opens a file whose cells are separated by `delimiter`.
    ///
    /// # Errors
    /// If there is no header, or it names a column twice.
    pub fn open(mut input: Input<'static>, delimiter: u8, wanted: &Wanted) -> Result<Self, DataError> {
        let place = input.place.clone();
        let has_decimal_comma = wanted.form().is_some_and(|form| form.decimal == Some(','));
        if delimiter == b'\t'
            && let Some(columns) = trec_columns(input.first_line()?)
        {
            return Ok(Self::of_trec(input, columns, wanted));
        }
        let tail = Tail::of(input, None);
        let mut reader = ReaderBuilder::new().delimiter(delimiter).buffer_capacity(BUFFER).from_reader(tail);
        let header = reader.byte_headers().cloned();
        let header = header.map_err(|error| fault(&place, &mut reader, delimiter, &error))?;
        let names: Vec<String> = header
            .iter()
            .take(COLUMNS + 1)
            .map(|name| text(name, || format!("{place}, line 1")).map(str::to_owned))
            .collect::<Result<_, _>>()?;
        if names.len() > COLUMNS {
            let place = format!("{place}, line 1");
            return Err(DataError::Malformed { place, message: too_many_columns() });
        }
        if names.is_empty() {
            let message = "expected a header line, found none".to_owned();
            return Err(DataError::Malformed { place, message });
        }
        if wanted.form().is_none_or(|form| form.delimiter.is_none()) {
            check_delimiter(&place, &names, delimiter)?;
        }
        let ids = names.iter().map(|name| wanted.is_id(name)).collect();
        let wanted = names.iter().map(|name| wanted.has(name)).collect();
        Ok(Self { place, reader, delimiter, has_quotes: true, has_decimal_comma, names, wanted, ids })
    }

    /// Judgements `query 0 document grade`, a line each.
    fn of_trec(input: Input<'static>, columns: TrecColumns, wanted: &Wanted) -> Self {
        let place = input.place.clone();
        let tail = Tail::of(input, (columns == TrecColumns::Blanks).then(OneTab::default));
        let mut form = ReaderBuilder::new();
        form.delimiter(b'\t').quoting(false).has_headers(false).buffer_capacity(BUFFER);
        let names = TREC.map(str::to_owned).to_vec();
        Self {
            place,
            reader: form.from_reader(tail),
            delimiter: b'\t',
            has_quotes: false,
            has_decimal_comma: false,
            ids: names.iter().map(|name| wanted.is_id(name)).collect(),
            wanted: names.iter().map(|name| wanted.has(name)).collect(),
            names,
        }
    }

    fn add(&self, record: &ByteRecord, line: usize, columns: &mut [Texts]) -> Result<(), DataError> {
        for (index, column) in columns.iter_mut().enumerate().filter(|(index, _)| self.wanted[*index]) {
            let cell = record.get(index).unwrap_or_default();
            column
                .push(text(cell, || format!("{}, line {line}, column `{}`", self.place, self.names[index]))?);
        }
        Ok(())
    }

    /// The bytes of a record; `None` where quotes have no meaning.
    fn bytes_of<'a>(&'a self, record: &'a ByteRecord) -> Option<(&'a [u8], &'a Position)> {
        let start = record.position().filter(|_| self.has_quotes)?;
        let bytes = self.reader.get_ref().from(start.byte());
        let length = usize::try_from(self.reader.position().byte().saturating_sub(start.byte()));
        Some((length.ok().and_then(|length| bytes.get(..length)).unwrap_or(bytes), start))
    }

    /// What the lines of the record say of it, if a cell of it goes on over several.
    fn lines_of_cell(&self, record: &ByteRecord) -> Option<LinesOfCell> {
        let (bytes, _) = self.bytes_of(record)?;
        lines_of_cell(bytes, self.delimiter, self.names.len())
    }

    /// Those of the cells over several lines that may have swallowed rows. Where most of a file's are texts beyond doubt, it was
    /// written by something that quotes them as it should, and so are those whose lines have a row's number of commas.
    fn rows_in_cells(&self, cells: &[(usize, LinesOfCell)]) -> Vec<RowsInCell> {
        let count = |reads: ReadAs| cells.iter().filter(|(_, cell)| cell.reads == reads).count();
        let has_texts = count(ReadAs::Text) > count(ReadAs::Either) + count(ReadAs::Rows);
        let file = Arc::<str>::from(self.place.as_str());
        let may_be_rows = |reads: ReadAs| reads == ReadAs::Rows || (reads == ReadAs::Either && !has_texts);
        let found = cells.iter().filter(|(_, cell)| may_be_rows(cell.reads)).map(|(line, cell)| RowsInCell {
            file: Arc::clone(&file),
            first_line: *line,
            last_line: line + cell.more,
            other_lines: cell.other_lines,
        });
        found.collect()
    }

    /// Refuses a record in which text stands behind a closing quote: its quotes belong to a text, and have taken what follows, rows
    /// too, into one cell.
    fn check_quotes(&self, record: &ByteRecord) -> Result<(), DataError> {
        let Some((bytes, start)) = self.bytes_of(record) else { return Ok(()) };
        let tail = self.reader.get_ref();
        let Some(at) = behind_closing_quote(bytes, self.delimiter) else { return Ok(()) };
        let line =
            tail.line(start) + bytes[..at].trim_ascii_start().iter().filter(|byte| **byte == b'\n').count();
        let mark = mark_of(self.delimiter);
        let found: String = String::from_utf8_lossy(&bytes[at..])
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches('\r')
            .chars()
            .take(40)
            .collect();
        let message = format!(
            "expected a {mark} or the end of the line after a closing quote (\"), found: {found}; put a text \
             with quotes into double quotes, and double its own (\"\")"
        );
        Err(DataError::Malformed { place: format!("{}, line {line}", self.place), message })
    }

    /// The last record may have been ended by the end of the file within quotes.
    fn check_end(&self, line: usize) -> Result<(), DataError> {
        if !self.has_quotes || !ends_in_quotes(self.reader.get_ref().last_record(), self.delimiter) {
            return Ok(());
        }
        let message = "expected a closing quote (\") of a cell of this row, found the end of the file";
        let place = format!("{}, line {line}", self.place);
        Err(DataError::Malformed { place, message: message.to_owned() })
    }
}

impl ReadRows for Delimited {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        let mut columns: Vec<Texts> = self.names.iter().map(|_| Texts::new()).collect();
        let mut places: Option<Places> = None;
        let mut cells_of_lines = Vec::new();
        let mut record = ByteRecord::new();
        let (mut rows, mut line) = (0, 1);
        while rows < limit {
            let more = self.reader.read_byte_record(&mut record);
            if !more.map_err(|error| fault(&self.place, &mut self.reader, self.delimiter, &error))? {
                self.check_end(line)?;
                break;
            }
            if let Some(position) = record.position() {
                line = self.reader.get_ref().line(position);
                self.reader.get_mut().keep_from = position.byte();
            }
            self.check_quotes(&record)?;
            cells_of_lines.extend(self.lines_of_cell(&record).map(|cell| (line, cell)));
            places.get_or_insert_with(|| Places::new(&self.place, Counting::Line, line)).jump(rows, line);
            self.add(&record, line, &mut columns)?;
            rows += 1;
        }
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        for (index, (cells, name)) in columns.into_iter().zip(&self.names).enumerate() {
            if self.wanted[index] {
                kept.push((
                    name.clone(),
                    if self.ids[index] {
                        id_cells(cells)
                    } else {
                        parse_cells(cells, self.has_decimal_comma)
                    },
                ));
            } else {
                left_out.push((name.clone(), None));
            }
        }
        let places = places.unwrap_or_else(|| Places::new(&self.place, Counting::Line, line));
        let rows_in_cells = self.rows_in_cells(&cells_of_lines);
        Ok(Table { left_out, rows_in_cells, ..Table::with_places(kept, rows, places)? })
    }
}

/// A header of one column that another character divides is that of another form.
fn check_delimiter(place: &str, names: &[String], delimiter: u8) -> Result<(), DataError> {
    let [name] = names else { return Ok(()) };
    let (expected, others) = match delimiter {
        b',' => ("commas", [("tabs", '\t'), ("semicolons", ';')]),
        _ => ("tabs", [("commas", ','), ("semicolons", ';')]),
    };
    let Some((found, _)) = others.into_iter().find(|(_, mark)| name.contains(*mark)) else { return Ok(()) };
    let advice = match found {
        "tabs" => "rename the file to `.tsv`",
        "commas" => "rename the file to `.csv`",
        _ => "name the character in the card: `delimiter = \";\"` in `[dataset]`",
    };
    let message = format!("expected columns separated by {expected}, found {found} in the header; {advice}");
    Err(DataError::Malformed { place: format!("{place}, line 1"), message })
}

/// Ids as they are written; an empty cell is no id.
fn id_cells(cells: Texts) -> Column {
    if cells.iter().all(|cell| !cell.is_empty()) {
        return Column::Text(cells);
    }
    let value = |cell: &str| if cell.is_empty() { Value::Null } else { Value::from(cell) };
    Column::Any(cells.iter().map(value).collect())
}

fn text(bytes: &[u8], place: impl Fn() -> String) -> Result<&str, DataError> {
    std::str::from_utf8(bytes).map_err(|error| not_utf8(&place(), bytes, error))
}

fn fault(place: &str, reader: &mut csv::Reader<Tail>, delimiter: u8, error: &csv::Error) -> DataError {
    if let Some(failure) = reader.get_mut().failure.take() {
        return reader.get_ref().input.fault(failure);
    }
    let line = error.position().map(|position| format!(", line {}", reader.get_ref().line(position)));
    let line = line.unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let quote = error.position().and_then(|start| open_quote(reader, start));
            let advice = quote.unwrap_or_else(|| unequal(*len > *expected_len, delimiter));
            format!("expected {expected_len} cells as in the header, found {len}; {advice}")
        }
        _ => error.to_string(),
    };
    DataError::Malformed { place: format!("{place}{line}"), message }
}

/// The mark between cells, in words.
fn mark_of(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "comma",
        b'\t' => "tab",
        b';' => "semicolon",
        _ => "delimiter",
    }
}

/// What to do with a row of more or fewer cells than the header has.
fn unequal(has_more: bool, delimiter: u8) -> String {
    let mark = mark_of(delimiter);
    match has_more {
        true => format!("put a cell that holds a {mark} into double quotes"),
        false => "write every cell, including empty ones".to_owned(),
    }
}

/// What to say of a record that goes on over lines, as after a quote that nobody closed.
fn open_quote(reader: &csv::Reader<Tail>, start: &Position) -> Option<String> {
    let (tail, end) = (reader.get_ref(), reader.position().byte());
    let length = usize::try_from(end.saturating_sub(start.byte())).ok()?;
    let record = tail.from(start.byte());
    let record = record.get(..length).unwrap_or(record).trim_ascii();
    let more = record.iter().filter(|byte| **byte == b'\n').count();
    (record.contains(&b'"') && more > 0).then(|| {
        format!(
            "a quote (\") opens a cell that continues to line {}: close it, or double it if it is part of a text",
            tail.line(start) + more
        )
    })
}

/// Passes bytes on and keeps those of the record that is being read.
struct Tail {
    input: Input<'static>,
    /// Offset in the file of the first kept byte.
    start: u64,
    bytes: Vec<u8>,
    /// Offset from which on bytes are needed.
    keep_from: u64,
    /// The error that the CSV reader was given, whose kind is lost on its way.
    failure: Option<io::Error>,
    /// What makes one tab of the blanks between two columns, where these may be many.
    one_tab: Option<OneTab>,
}

impl Tail {
    fn of(input: Input<'static>, one_tab: Option<OneTab>) -> Self {
        Self { input, start: 0, bytes: Vec::new(), keep_from: 0, failure: None, one_tab }
    }

    fn last_record(&self) -> &[u8] {
        self.from(self.keep_from)
    }

    /// The kept bytes from an offset in the file on.
    fn from(&self, offset: u64) -> &[u8] {
        let skip = usize::try_from(offset.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.get(skip..).unwrap_or_default()
    }
}

impl Tail {
    /// The line of the first character of the record at `position`. For the CSV reader a record begins right behind the `\r` that
    /// ended the one before, and where blank lines precede it.
    fn line(&self, position: &Position) -> usize {
        let line = usize::try_from(position.line()).unwrap_or(usize::MAX);
        let blank = self.from(position.byte()).iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        line + blank.filter(|byte| **byte == b'\n').count()
    }
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.one_tab {
            Some(one_tab) => one_tab.read(&mut self.input, buffer),
            None => self.input.read(buffer),
        };
        let count = match read {
            Ok(count) => count,
            Err(error) => {
                let kind = error.kind();
                self.failure = Some(error);
                return Err(kind.into());
            }
        };
        let unneeded = self.bytes.len() - self.last_record().len();
        self.bytes.drain(..unneeded);
        self.start += unneeded as u64;
        self.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

/// Where text stands behind the closing quote of a cell of `record`, as in `"No" he said`.
fn behind_closing_quote(record: &[u8], delimiter: u8) -> Option<usize> {
    #[derive(PartialEq)]
    enum Within {
        Start,
        Plain,
        Quotes,
        Closed,
    }
    if !record.contains(&b'"') {
        return None;
    }
    let mut within = Within::Start;
    let skip = if record.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    for (at, &byte) in record.iter().enumerate().skip(skip) {
        let ends = byte == delimiter || byte == b'\n' || byte == b'\r';
        within = match within {
            Within::Quotes if byte == b'"' => Within::Closed,
            Within::Quotes => Within::Quotes,
            // A doubled quote is one of the text.
            Within::Closed if byte == b'"' => Within::Quotes,
            _ if ends => Within::Start,
            Within::Closed => return Some(at),
            Within::Start if byte == b'"' => Within::Quotes,
            Within::Start | Within::Plain => Within::Plain,
        };
    }
    None
}

/// True if the last cell of `record` has an opening quote and no closing one.
fn ends_in_quotes(record: &[u8], delimiter: u8) -> bool {
    let (mut quoted, mut cell_starts) = (false, true);
    for &byte in record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record) {
        if byte == b'"' && (quoted || cell_starts) {
            // A doubled quote within quotes closes and opens again.
            quoted = !quoted;
        }
        cell_starts = !quoted && (byte == delimiter || byte == b'\n' || byte == b'\r' || byte == b'"');
    }
    quoted
}
