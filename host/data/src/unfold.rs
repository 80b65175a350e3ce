//! Rows that hold lists become rows of their elements.

use serde_json::Value;

use crate::builder::ColumnBuilder;
use crate::cell_words::describe;
use crate::{Column, DataError, Table};

impl Table {
    /// One row for each element of the lists in a row, as legacy clustering sets and nested pairs are unfolded; a cell
    /// that is no list goes to each of them. A table without lists is as it was.
    ///
    /// # Errors
    /// If the lists of a row differ in length, or a cell is a list in one row and none in another.
    pub fn unfold(&self) -> Result<Self, DataError> {
        let listed: Vec<(&str, &[Value])> = self
            .columns
            .iter()
            .filter_map(|(name, column)| match column {
                Column::Any(cells) if cells.iter().any(Value::is_array) => {
                    Some((name.as_str(), cells.as_slice()))
                }
                _ => None,
            })
            .collect();
        let Some((first, lists)) = listed.first() else { return Ok(self.clone()) };
        let mut rows = Vec::new();
        for (row, cell) in lists.iter().enumerate() {
            let count = self.list(first, row, cell)?.len();
            for (name, lists) in &listed[1..] {
                let found = self.list(name, row, &lists[row])?.len();
                if found != count {
                    let expected = format!("a list of {count} elements, as many as in `{first}`");
                    return Err(self.cell_fault(name, row, &expected, &format!("{found}")));
                }
            }
            rows.extend(std::iter::repeat_n(row, count));
        }
        let mut unfolded = self.select(&rows);
        for (name, lists) in listed {
            let mut cells = ColumnBuilder::new(0);
            for element in lists.iter().filter_map(Value::as_array).flatten() {
                cells.push(element.clone());
            }
            unfolded = unfolded.with_column(name, cells.finish());
        }
        Ok(unfolded)
    }

    fn list<'a>(&self, name: &str, row: usize, cell: &'a Value) -> Result<&'a [Value], DataError> {
        let elements = cell.as_array().map(Vec::as_slice);
        elements.ok_or_else(|| self.cell_fault(name, row, "a list, as in other rows", &describe(cell)))
    }

    fn cell_fault(&self, column: &str, row: usize, expected: &str, found: &str) -> DataError {
        self.fault_saying(column, row, expected, found.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use crate::read_json_lines;

    #[test]
    fn elements_become_rows_that_know_where_they_came_from() {
        let lines = concat!(
            "{\"sentences\": [\"a\", \"b\"], \"labels\": [1, 2], \"set\": \"x\"}\n",
            "{\"sentences\": [], \"labels\": [], \"set\": \"y\"}\n",
            "{\"sentences\": [\"c\"], \"labels\": [3], \"set\": \"z\"}\n",
        );
        let table = read_json_lines("f.jsonl", lines.as_bytes()).unwrap().unfold().unwrap();
        assert_eq!(table.texts("sentences").unwrap().iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(table.ints("labels").unwrap(), [1, 2, 3]);
        assert_eq!(table.texts("set").unwrap().iter().collect::<Vec<_>>(), ["x", "x", "z"]);
        assert_eq!(table.location(2), "f.jsonl, line 3");
    }

    #[test]
    fn lists_of_a_row_must_be_equally_long() {
        let refused = |line: &str| {
            read_json_lines("f.jsonl", line.as_bytes()).unwrap().unfold().unwrap_err().to_string()
        };
        assert_eq!(
            refused("{\"a\": [1], \"b\": [1]}\n{\"a\": [1], \"b\": [1, 2]}\n"),
            "f.jsonl, line 2, column `b`: expected a list of 1 elements, as many as in `a`, found 2"
        );
        assert_eq!(
            refused("{\"a\": [1]}\n{\"a\": \"x\"}\n"),
            "f.jsonl, line 2, column `a`: expected a list, as in other rows, found a string: \"x\""
        );
    }
}
