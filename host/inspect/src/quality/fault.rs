//! A fault of data: where it is, what is wrong, and what to do.

use std::fmt;

use mteb_data::Table;
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
    /// Its file, where the part has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of the row, from 1: the line of a text file, the row of a Parquet file.
    pub row: usize,
}

impl RowPlace {
    /// Row `row` (from 0) of the table of a part.
    pub fn of(part: String, table: Option<&Table>, row: usize) -> Self {
        let Some(table) = table else { return Self { part, file: None, row: row + 1 } };
        let (file, number) = table.place(row);
        let is_one_of_several = table.place(0).0 != table.place(table.rows().saturating_sub(1)).0;
        Self { part, file: is_one_of_several.then(|| file.to_owned()), row: number }
    }

    /// `test row 3`, `test row 3 of test-1.csv`.
    pub fn words(&self) -> String {
        rows_text(std::slice::from_ref(self))
    }
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

/// `test row 3 and train row 5`, `corpus rows 3, 5 and 7`, `test row 3 of test-1.csv`.
fn rows_text(rows: &[RowPlace]) -> String {
    let mut groups: Vec<(&RowPlace, Vec<String>)> = Vec::new();
    for place in rows.iter().take(SHOWN) {
        let is_beside = |of: &RowPlace| of.part == place.part && of.file == place.file;
        match groups.last_mut().filter(|(of, _)| is_beside(of)) {
            Some((_, numbers)) => numbers.push(place.row.to_string()),
            None => groups.push((place, vec![place.row.to_string()])),
        }
    }
    let more = rows.len().saturating_sub(SHOWN);
    let last = groups.len() - 1;
    let texts: Vec<String> = groups
        .into_iter()
        .enumerate()
        .map(|(index, (of, mut numbers))| {
            if index == last && more > 0 {
                numbers.push(format!("{more} more"));
            }
            let word = if numbers.len() == 1 { "row" } else { "rows" };
            let file = of.file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
            format!("{} {word} {}{file}", of.part, enumeration(&numbers))
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

/// The first of some words, and how many more there are.
pub fn enumeration_of_first(mut words: Vec<String>, shown: usize) -> String {
    let more = words.len().saturating_sub(shown);
    words.truncate(shown);
    if more > 0 {
        words.push(format!("{more} more"));
    }
    enumeration(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(rows: &[(&str, usize)]) -> String {
        let place = |&(part, row): &(&str, usize)| RowPlace { part: part.to_owned(), file: None, row };
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
    fn a_row_names_its_file_where_there_are_several() {
        let place = |file: &str, row| RowPlace { part: "test".to_owned(), file: Some(file.to_owned()), row };
        let places = [place("a-1.csv", 2), place("a-1.csv", 3), place("a-2.csv", 2)];
        assert_eq!(rows_text(&places), "test rows 2 and 3 of a-1.csv and test row 2 of a-2.csv");
        let several = Table::concat(vec![table("a-1.csv", 2), table("a-2.csv", 2)]).unwrap();
        assert_eq!(RowPlace::of("test".to_owned(), Some(&several), 2), place("a-2.csv", 1));
        assert_eq!(RowPlace::of("test".to_owned(), Some(&table("a.csv", 2)), 1).file, None);
        assert_eq!(RowPlace::of("test".to_owned(), None, 1).row, 2);
    }

    fn table(file: &str, rows: usize) -> Table {
        let texts = (0..rows).map(|row| row.to_string()).collect();
        Table::new(file, vec![("text".to_owned(), mteb_data::Column::Text(texts))]).unwrap()
    }

    #[test]
    fn of_many_words_the_first_are_said() {
        let words = |count: usize| (1..=count).map(|word| word.to_string()).collect();
        assert_eq!(enumeration_of_first(words(2), 2), "1 and 2");
        assert_eq!(enumeration_of_first(words(5), 2), "1, 2 and 3 more");
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
