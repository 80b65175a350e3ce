//! A fault of data: where it is, what is wrong, and what to do.

use std::fmt;

use serde::Serialize;

/// The name of the check that a run makes before a model is asked.
pub const CHECK: &str = "data";

/// Rows that a message names; JSON has them all.
const SHOWN: usize = 8;

/// One row that has part in a fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RowPlace {
    /// Split of the row, or its part in a ranking task.
    pub part: String,
    /// Number of the row, from 1: the line of a text file, the row of a Parquet file.
    pub row: usize,
}

/// What is wrong with the data of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataFault {
    /// Task.
    pub task: String,
    /// Split that is evaluated.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// Name of the check that found it.
    pub check: &'static str,
    /// The rows; empty if the fault is one of the whole.
    pub rows: Vec<RowPlace>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do; empty where the message says it.
    pub advice: &'static str,
}

impl fmt::Display for DataFault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}, split {}", self.task, self.split)?;
        if self.check == CHECK {
            // As a run says it; the message has file, row and advice.
            return write!(formatter, ", subset {}: {}", self.subset, self.message);
        }
        if self.subset != "default" {
            write!(formatter, ", subset {}", self.subset)?;
        }
        if !self.rows.is_empty() {
            write!(formatter, ", {}", rows_text(&self.rows))?;
        }
        write!(formatter, ": {}; {}", self.message, self.advice)
    }
}

/// `test row 3 and train row 5`, `corpus rows 3, 5 and 7`.
fn rows_text(rows: &[RowPlace]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for place in rows.iter().take(SHOWN) {
        match groups.last_mut().filter(|(part, _)| *part == place.part) {
            Some((_, numbers)) => numbers.push(place.row.to_string()),
            None => groups.push((&place.part, vec![place.row.to_string()])),
        }
    }
    let more = rows.len().saturating_sub(SHOWN);
    let last = groups.len() - 1;
    let texts: Vec<String> = groups
        .into_iter()
        .enumerate()
        .map(|(index, (part, mut numbers))| {
            if index == last && more > 0 {
                numbers.push(format!("{more} more"));
            }
            let word = if numbers.len() == 1 { "row" } else { "rows" };
            format!("{part} {word} {}", enumeration(&numbers))
        })
        .collect();
    enumeration(&texts)
}

/// `a`, `a and b`, `a, b and c`.
pub fn enumeration(words: &[String]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(rows: &[(&str, usize)]) -> String {
        let place = |&(part, row): &(&str, usize)| RowPlace { part: part.to_owned(), row };
        let fault = DataFault {
            task: "T".to_owned(),
            split: "test".to_owned(),
            subset: "default".to_owned(),
            check: "duplicates",
            rows: rows.iter().map(place).collect(),
            message: "the same text".to_owned(),
            advice: "remove one",
        };
        fault.to_string()
    }

    #[test]
    fn a_fault_names_its_rows() {
        assert_eq!(fault(&[]), "T, split test: the same text; remove one");
        assert_eq!(
            fault(&[("test", 3), ("test", 5)]),
            "T, split test, test rows 3 and 5: the same text; remove one"
        );
        assert_eq!(
            fault(&[("test", 3), ("train", 5)]),
            "T, split test, test row 3 and train row 5: the same text; remove one"
        );
        let many: Vec<(&str, usize)> = (1..=10).map(|row| ("corpus", row)).collect();
        assert!(fault(&many).contains("corpus rows 1, 2, 3, 4, 5, 6, 7, 8 and 2 more: "), "{}", fault(&many));
    }
}
