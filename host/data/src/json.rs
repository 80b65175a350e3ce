//! JSON lines, and JSON files that hold one list of objects.

use serde::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Deserializer, Error};

use crate::input::Input;
use crate::json_row::{JsonColumns, RowSeed};
use crate::json_value::oversized_number;
use crate::place::{Counting, Places};
use crate::read_rows::{ReadRows, Wanted};
use crate::utf8::{not_utf8, utf8};
use crate::{DataError, Table};

/// Reads rows of JSON lines that are in memory; `place` names them in messages. Lines of white space are passed over.
///
/// # Errors
/// If a line is no JSON object; the message has its number.
pub fn read_json_lines(place: &str, bytes: &[u8]) -> Result<Table, DataError> {
    JsonLines::new(Input::of_bytes(place, bytes), Wanted::All).read_rows(usize::MAX)
}

/// Lines of which each holds one JSON object.
pub struct JsonLines<'a> {
    input: Input<'a>,
    wanted: Wanted,
    /// Lines that are read.
    lines: usize,
}

impl<'a> JsonLines<'a> {
    /// The rows of `input`, with the `wanted` columns.
    pub fn new(input: Input<'a>, wanted: Wanted) -> Self {
        Self { input, wanted, lines: 0 }
    }

    /// The next line that is more than white space, without the byte-order mark at the beginning of a file.
    fn next_line<'b>(&mut self, buffer: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, DataError> {
        loop {
            buffer.clear();
            if !self.input.read_line(buffer)? {
                return Ok(None);
            }
            self.lines += 1;
            let mark: &[u8] = if self.lines == 1 { b"\xef\xbb\xbf" } else { b"" };
            if !buffer.strip_prefix(mark).unwrap_or(buffer).trim_ascii().is_empty() {
                break;
            }
        }
        let mark = if self.lines == 1 && buffer.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Ok(Some(buffer[mark..].trim_ascii()))
    }

    fn place(&self) -> String {
        format!("{}, line {}", self.input.place, self.lines)
    }

    fn read_row(&self, line: &[u8], columns: &mut JsonColumns) -> Result<(), DataError> {
        let text = std::str::from_utf8(line).map_err(|error| not_utf8(&self.place(), line, error))?;
        let mut input = Deserializer::from_str(text);
        RowSeed(columns).deserialize(&mut input).and_then(|()| input.end()).map_err(|error| {
            self.fault(
                unknown_number(&error, text).unwrap_or_else(|| describe(&error, "a JSON object", false)),
            )
        })?;
        match columns.large_number.take().then(|| oversized_number(text)).flatten() {
            Some((_, digits)) => Err(self.fault(too_large(digits))),
            None => Ok(()),
        }
    }

    fn fault(&self, message: String) -> DataError {
        DataError::Malformed { place: self.place(), message }
    }
}

impl ReadRows for JsonLines<'_> {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        let mut columns = JsonColumns::new(self.wanted.clone());
        let mut places = Places::new(&self.input.place, Counting::Line, self.lines + 1);
        let mut buffer = Vec::new();
        while columns.rows() < limit
            && let Some(line) = self.next_line(&mut buffer)?
        {
            places.jump(columns.rows(), self.lines);
            columns.expect(line.len());
            self.read_row(line, &mut columns)?;
        }
        columns.finish(places)
    }
}

/// Reads a file that holds one list of objects.
///
/// # Errors
/// If the file is damaged, or holds something else.
pub fn read_json_list(mut input: Input, wanted: Wanted) -> Result<Table, DataError> {
    let bytes = input.read_all()?;
    let text = utf8(&input.place, &bytes)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut columns = JsonColumns::new(wanted);
    columns.expect(text.len());
    let mut parser = Deserializer::from_str(text);
    let result = parser.deserialize_seq(ListVisitor(&mut columns)).and_then(|()| parser.end());
    let fault = |place: String, message| Err(DataError::Malformed { place, message });
    if let Err(error) = result {
        let place = match error.classify() {
            // Row 1 of what is no list would mislead.
            Category::Data if text.trim_start().starts_with('[') => {
                format!("{}, row {}", input.place, columns.rows() + 1)
            }
            _ => input.place.clone(),
        };
        return fault(place, describe(&error, "a list of JSON objects", true));
    }
    if let Some((offset, digits)) = columns.large_number.take().then(|| oversized_number(text)).flatten() {
        let line = text[..offset].matches('\n').count() + 1;
        return fault(format!("{}, line {line}", input.place), too_large(digits));
    }
    columns.finish(Places::new(&input.place, Counting::Row, 1))
}

struct ListVisitor<'a>(&'a mut JsonColumns);

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a list of JSON objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(RowSeed(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// What was expected and what was found, of a parser's error.
fn describe(error: &Error, expected: &str, has_lines: bool) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(&position).unwrap_or(&text);
    let place = match (has_lines, error.line()) {
        (_, 0) => String::new(),
        (true, line) => format!(" at line {line}, byte {}", error.column()),
        (false, _) => format!(" at byte {}", error.column()),
    };
    if error.is_data() {
        return match what.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected ")) {
            Some((found, expected)) => format!("expected {expected}, found {found}"),
            None => what.to_owned(),
        };
    }
    format!("expected {expected}, found broken JSON{place}: {what}")
}

/// What is wrong if a line breaks off at a number for which JSON has no word.
fn unknown_number(error: &Error, line: &str) -> Option<String> {
    let before = line.get(..error.column().saturating_sub(1))?.rfind([':', ',', '['])?;
    let found = line[before + 1..].trim_start();
    let found = found.split([',', '}', ']', ' ']).next()?;
    let is_one = found.parse::<f64>().is_ok_and(|number| !number.is_finite());
    is_one.then(|| format!("expected a finite number, found {found}; correct the number or remove the row"))
}

fn too_large(digits: &str) -> String {
    format!("expected whole numbers of at most 64 bits, found {digits}; write it as a string")
}

#[cfg(test)]
mod tests {
    use super::read_json_lines;

    #[test]
    fn a_number_that_json_has_no_word_for_is_named() {
        for number in ["NaN", "Infinity", "-Infinity", "1e400", "-1e999"] {
            for line in
                [format!("{{\"score\": {number}, \"text\": \"a\"}}"), format!("{{\"scores\":[1,{number}]}}")]
            {
                let lines = format!("{{}}\n{line}\n");
                let error = read_json_lines("f.jsonl", lines.as_bytes()).unwrap_err().to_string();
                let advice = "correct the number or remove the row";
                assert_eq!(
                    error,
                    format!("f.jsonl, line 2: expected a finite number, found {number}; {advice}")
                );
            }
        }
    }
}
