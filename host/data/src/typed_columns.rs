//! The cells of a column as the type that they must have. Where one is at fault, those behind it are looked at, too.

use std::borrow::Cow;

use serde_json::Value;

use crate::cell_words::is_no_number;
use crate::input::is_untyped;
use crate::{Column, DataError, Table, Texts};

impl Table {
    /// The strings of column `name`.
    ///
    /// # Errors
    /// If the column is absent or a cell is no string.
    pub fn texts(&self, name: &str) -> Result<Cow<'_, Texts>, DataError> {
        match self.column(name)? {
            Column::Text(cells) => Ok(Cow::Borrowed(cells)),
            Column::Any(cells) => {
                let text = |(row, cell): (usize, &'_ Value)| match cell.as_str() {
                    Some(text) => Ok(text.to_owned()),
                    None => Err(self.fault(name, row, "a string", cell)),
                };
                Ok(Cow::Owned(all_cells(cells.iter().enumerate().map(text))?.into_iter().collect()))
            }
            numbers => {
                let fault = |row| Err(self.fault(name, row, "a string", &numbers.value(row)));
                Ok(Cow::Owned(all_cells::<String>((0..self.rows).map(fault))?.into_iter().collect()))
            }
        }
    }

    /// The same, where a null is an empty text.
    ///
    /// # Errors
    /// If the column is absent or a cell is neither a string nor null.
    pub fn texts_or_empty(&self, name: &str) -> Result<Cow<'_, Texts>, DataError> {
        let Column::Any(cells) = self.named_column(name)? else { return self.texts(name) };
        let text = |(row, cell): (usize, &'_ Value)| match cell {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.clone()),
            other => Err(self.fault(name, row, "a string or null", other)),
        };
        Ok(Cow::Owned(all_cells(cells.iter().enumerate().map(text))?.into_iter().collect()))
    }

    /// The numbers of column `name`, whole numbers widened.
    ///
    /// # Errors
    /// If the column is absent or a cell is no number, or not a finite one.
    pub fn floats(&self, name: &str) -> Result<Vec<f64>, DataError> {
        match self.column(name)? {
            Column::Float(cells) => all_cells(cells.iter().enumerate().map(|(row, &cell)| {
                if cell.is_finite() { Ok(cell) } else { Err(self.not_finite(name, row, cell)) }
            })),
            Column::Int(cells) => Ok(cells.iter().map(|&cell| cell as f64).collect()),
            column => self.each(name, column, "a number", Value::as_f64),
        }
    }

    /// The numbers of column `name`, some or all of which may be written as texts, or all as booleans that stand for 0 and 1.
    ///
    /// # Errors
    /// If the column is absent, or a cell is neither a finite number nor written so; booleans are all cells or none.
    pub fn written_floats(&self, name: &str) -> Result<Vec<f64>, DataError> {
        match self.column(name)? {
            Column::Text(cells) if cells.iter().all(|cell| !is_no_number(cell)) => {
                Ok(cells.iter().filter_map(|cell| cell.trim().parse().ok()).collect())
            }
            Column::Any(cells) if cells.iter().all(Value::is_boolean) => {
                Ok(cells.iter().map(|cell| f64::from(u8::from(*cell == Value::Bool(true)))).collect())
            }
            column @ Column::Any(_) => self.each(name, column, "a number", |cell| match cell {
                Value::String(text) if !is_no_number(text) => text.trim().parse().ok(),
                cell => cell.as_f64(),
            }),
            _ => self.floats(name),
        }
    }

    /// The whole numbers of column `name`; 1.0 counts as 1, as writers do not agree on the form.
    ///
    /// # Errors
    /// If the column is absent or a cell is no whole number.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, DataError> {
        match self.column(name)? {
            Column::Int(cells) => Ok(cells.clone()),
            column => self.each(name, column, "a whole number", whole),
        }
    }

    /// The booleans of column `name`; the whole numbers 0 and 1 count as such.
    ///
    /// # Errors
    /// If the column is absent or a cell is no boolean.
    pub fn bools(&self, name: &str) -> Result<Vec<bool>, DataError> {
        self.each(name, self.column(name)?, "a boolean", |cell| match whole(cell) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => cell.as_bool(),
        })
    }

    /// The cells of column `name` as lists.
    ///
    /// # Errors
    /// If the column is absent or a cell is no list.
    pub fn lists(&self, name: &str) -> Result<Vec<Vec<Value>>, DataError> {
        self.each(name, self.column(name)?, self.expected_list(), |cell| cell.as_array().cloned())
    }

    /// A list in the words of messages.
    fn expected_list(&self) -> &'static str {
        if is_untyped(self.place(0).0) {
            "a list, which CSV and TSV cannot hold (write the rows as JSON lines)"
        } else {
            "a list"
        }
    }

    /// The cells of column `name` as lists of strings.
    ///
    /// # Errors
    /// If the column is absent or a cell is no list of strings.
    pub fn text_lists(&self, name: &str) -> Result<Vec<Texts>, DataError> {
        self.each(name, self.column(name)?, "a list of strings", |cell| {
            cell.as_array()?.iter().map(Value::as_str).collect()
        })
    }

    /// Refuses empty cells of column `name` in files of a format without types, where they are empty texts beside texts and null
    /// beside numbers; `advice` says what to do. A column that is absent has none.
    ///
    /// # Errors
    /// If there are any.
    pub fn without_empty_cells(&self, name: &str, expected: &str, advice: &str) -> Result<(), DataError> {
        let Some(column) = self.get(name).filter(|_| is_untyped(self.place(0).0)) else { return Ok(()) };
        let is_empty = |row: usize| match column {
            Column::Text(cells) => cells[row].trim().is_empty(),
            Column::Any(cells) => cells[row].is_null(),
            Column::Int(_) | Column::Float(_) => false,
        };
        let cells = (0..self.rows).map(|row| match is_empty(row) {
            true => Err(self.fault_advising(name, row, expected, &Value::Null, advice.to_owned())),
            false => Ok(()),
        });
        all_cells(cells).map(drop)
    }

    /// Refuses column `name` of a file of a format without types all of whose cells are lists as texts, as `[0, 1]`: such a format holds
    /// none. `expected` says what a cell is. A column that is absent has none.
    ///
    /// # Errors
    /// If they are.
    pub fn without_written_lists(&self, name: &str, expected: &str) -> Result<(), DataError> {
        let Some(Column::Text(cells)) = self.get(name).filter(|_| is_untyped(self.place(0).0)) else {
            return Ok(());
        };
        if !(0..self.rows).all(|row| is_written_list(&cells[row])) {
            return Ok(());
        }
        let advice = "CSV and TSV cannot hold lists: write the rows as JSON lines".to_owned();
        let fault = |row: usize| {
            let found = Value::from(&cells[row]);
            Err::<(), _>(self.fault_advising(name, row, expected, &found, advice.clone()))
        };
        all_cells((0..self.rows).map(fault)).map(drop)
    }

    /// What `convert` makes of each cell; the fault is that of the first cell of which it makes nothing.
    fn each<T>(
        &self,
        name: &str,
        column: &Column,
        expected: &str,
        convert: impl Fn(&Value) -> Option<T>,
    ) -> Result<Vec<T>, DataError> {
        if let Column::Text(cells) = column
            && expected.ends_with("number")
            && cells.iter().any(is_no_number)
        {
            // Of a CSV column that holds numbers and one word, the word is the fault and not the first number.
            let words = cells.iter().enumerate().filter(|(_, cell)| is_no_number(cell));
            return all_cells(words.map(|(row, cell)| Err(self.no_number(name, row, expected, cell))));
        }
        all_cells((0..self.rows).map(|row| {
            let value = column.cell(row);
            convert(&value).ok_or_else(|| self.fault(name, row, expected, &value))
        }))
    }
}

impl Column {
    /// The cell at `row`, borrowed where it is a JSON value already.
    pub(crate) fn cell(&self, row: usize) -> Cow<'_, Value> {
        match self {
            Self::Any(cells) => Cow::Borrowed(&cells[row]),
            typed => Cow::Owned(typed.value(row)),
        }
    }
}

/// `value` as a whole number, if it is one.
fn whole(value: &Value) -> Option<i64> {
    /// The largest number up to which every whole number is a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.as_i64().or_else(|| {
        let float = value.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT);
        float.map(|float| float as i64)
    })
}

/// True of a text that is a list as JSON or Python writes it.
fn is_written_list(text: &str) -> bool {
    let text = text.trim();
    let is_list = |text: &str| serde_json::from_str::<Vec<Value>>(text).is_ok();
    text.starts_with('[') && (is_list(text) || is_list(&text.replace('\'', "\"")))
}

/// All of `cells`, or the first fault, which knows the rows of all of its column and file.
///
/// # Errors
/// The first of them.
pub fn all_cells<T>(cells: impl Iterator<Item = Result<T, DataError>>) -> Result<Vec<T>, DataError> {
    let mut cells = cells;
    let mut all = Vec::with_capacity(cells.size_hint().0);
    let mut first = loop {
        match cells.next() {
            None => return Ok(all),
            Some(Ok(cell)) => all.push(cell),
            Some(Err(DataError::Cell(fault))) => break fault,
            Some(Err(other)) => return Err(other),
        }
    };
    for other in cells {
        if let Err(DataError::Cell(other)) = other {
            first.join(*other);
        }
    }
    Err(DataError::Cell(first))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{CellFault, Location};

    fn table(cells: Value) -> Table {
        let cells = cells.as_array().cloned().unwrap_or_default();
        Table::new("f.json", vec![("c".to_owned(), Column::Any(cells))]).unwrap()
    }

    fn message<T: std::fmt::Debug>(result: Result<T, DataError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn the_first_cell_of_another_type_is_named() {
        let mixed = table(json!(["a", 2, null]));
        assert_eq!(
            message(mixed.texts("c")),
            "f.json, row 2, column `c`: expected a string, found a number: 2; 1 more row is invalid: row 3"
        );
        assert_eq!(
            message(mixed.floats("c")),
            "f.json, row 1, column `c`: expected a number, found a string: \"a\"; 1 more row is invalid: row 3"
        );
        assert_eq!(
            message(table(json!([[1], null])).lists("c")),
            "f.json, row 2, column `c`: expected a list, found null"
        );
        assert_eq!(
            message(table(json!([["a"], ["b", 1]])).text_lists("c")),
            "f.json, row 2, column `c`: expected a list of strings, found a list: [\"b\",1]"
        );
        let advice = "if it has another name, say so in the card: `columns = { d = \"…\" }`";
        assert_eq!(message(mixed.texts("d")), format!("f.json: no column `d`; its columns are c; {advice}"));
    }

    #[test]
    fn a_word_among_numbers_is_the_fault() {
        let cells = Column::Text(["1", "2", "tiga"].into_iter().collect());
        let table = Table::new("f.csv", vec![("score".to_owned(), cells)]).unwrap();
        assert_eq!(
            message(table.floats("score")),
            "f.csv, row 3, column `score`: expected a number, found a string: \"tiga\""
        );
    }

    #[test]
    fn scores_may_be_written_as_texts() {
        let scores = |cells: &[&str]| {
            let cells = Column::Text(cells.iter().copied().collect());
            Table::new("f.jsonl", vec![("score".to_owned(), cells)]).unwrap().written_floats("score")
        };
        assert_eq!(scores(&["-1", "0", " 2.5 "]).unwrap(), [-1.0, 0.0, 2.5]);
        assert_eq!(
            message(scores(&["-1", "nol"])),
            "f.jsonl, row 2, column `score`: expected a number, found a string: \"nol\""
        );
        assert_eq!(table(json!([1, 2.5])).written_floats("c").unwrap(), [1.0, 2.5]);
        assert_eq!(table(json!([true, false])).written_floats("c").unwrap(), [1.0, 0.0]);
        assert_eq!(
            table(json!([1, "2", " 2.5 "])).written_floats("c").unwrap(),
            [1.0, 2.0, 2.5],
            "some of them are texts"
        );
        assert_eq!(
            message(table(json!([true, 2])).written_floats("c")),
            "f.json, row 1, column `c`: expected a number, found a boolean: true"
        );
    }

    #[test]
    fn numbers_with_a_comma_are_one_fault_that_says_how_to_write_them() {
        let cells = Column::Text(["4,5", "3", "2,0", ""].into_iter().collect());
        let table = Table::new("f.csv", vec![("score".to_owned(), cells)]).unwrap();
        assert_eq!(
            message(table.floats("score")),
            "f.csv, row 1, column `score`: expected a number, found a string: \"4,5\"; 2 more rows are invalid: \
             rows 3, 4; write a point instead of the comma: 4.5, or name the comma in the card of a CSV file: \
             `decimal = \",\"` in `[dataset]`"
        );
        let cells = Column::Any(vec![json!(1), Value::Null]);
        let table = Table::new("f.csv", vec![("score".to_owned(), cells)]).unwrap();
        let expected = "f.csv, row 2, column `score`: expected a number, found an empty cell";
        assert_eq!(message(table.floats("score")), expected);
    }

    #[test]
    fn a_number_that_is_not_finite_is_the_fault() {
        for (number, said) in [(f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf")] {
            let column = Column::Float(vec![5.0, number]);
            let table = Table::new("f.parquet", vec![("score".to_owned(), column)]).unwrap();
            let expected =
                format!("f.parquet, row 2, column `score`: expected a finite number, found {said}");
            assert_eq!(message(table.floats("score")), expected);
        }
    }

    #[test]
    fn numbers_and_booleans_have_several_forms() {
        assert_eq!(table(json!([1, 2.0])).ints("c").unwrap(), [1, 2]);
        assert_eq!(
            message(table(json!([1.5])).ints("c")),
            "f.json, row 1, column `c`: expected a whole number, found a number: 1.5"
        );
        assert_eq!(table(json!([true, 0, 1])).bools("c").unwrap(), [true, false, true]);
    }

    fn cells(faults: &[usize]) -> String {
        let cell = |number: usize| {
            let at = Location { file: "f.csv".to_owned(), unit: "line", number };
            let fault = CellFault {
                at,
                column: "score".to_owned(),
                expected: "a number".to_owned(),
                found: format!("a string: \"{number}\""),
                advice: String::new(),
                others: Vec::new(),
            };
            if faults.contains(&number) { Err(DataError::Cell(Box::new(fault))) } else { Ok(number) }
        };
        all_cells((2..40).map(cell)).map_or_else(|error| error.to_string(), |cells| cells.len().to_string())
    }

    #[test]
    fn the_first_fault_counts_those_behind_it() {
        let first = "f.csv, line 3, column `score`: expected a number, found a string: \"3\"";
        assert_eq!(cells(&[]), "38");
        assert_eq!(cells(&[3]), first);
        assert_eq!(cells(&[3, 5]), format!("{first}; 1 more row is invalid: line 5"));
        assert_eq!(cells(&[3, 5, 7, 9]), format!("{first}; 3 more rows are invalid: lines 5, 7, 9"));
        assert_eq!(cells(&[3, 5, 7, 9, 30]), format!("{first}; 4 more rows are invalid: lines 5, 7, 9, …"));
    }
}
