//! The cells of a column one by one: where one is at fault, those behind it are looked at too.

use crate::DataError;

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
    use super::*;
    use crate::{CellFault, Location};

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
