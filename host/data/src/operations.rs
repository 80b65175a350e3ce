//! What task cards ask of tables: renaming, choosing and grouping rows, joining, replacing values.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use crate::builder::{ColumnBuilder, parse_cells};
use crate::input::is_untyped;
use crate::{Column, DataError, Table, all_cells};

impl Table {
    /// The rows of all `tables` in order.
    ///
    /// # Errors
    /// If there is no table, or the tables differ in their column names.
    pub fn concat(tables: Vec<Self>) -> Result<Self, DataError> {
        let mut tables = tables.into_iter();
        let Some(mut all) = tables.next() else {
            let message = "expected at least one file, found none".to_owned();
            return Err(DataError::Malformed { place: "a split".to_owned(), message });
        };
        for table in tables {
            all.append(table)?;
        }
        Ok(all)
    }

    /// Adds the rows of `other` at the end.
    ///
    /// # Errors
    /// If the tables differ in their column names.
    pub fn append(&mut self, mut other: Self) -> Result<(), DataError> {
        self.rows_in_cells.append(&mut other.rows_in_cells);
        for column in std::mem::take(&mut other.left_out) {
            if !self.left_out.contains(&column) {
                self.left_out.push(column);
            }
        }
        if other.rows == 0 && other.columns.is_empty() {
            if self.rows == 0 && self.columns.is_empty() {
                // Of an empty table nothing but its file is known.
                self.places = other.places;
            }
            return Ok(());
        }
        if self.rows == 0 && self.columns.is_empty() {
            other.left_out = std::mem::take(&mut self.left_out);
            other.rows_in_cells = std::mem::take(&mut self.rows_in_cells);
            *self = other;
            return Ok(());
        }
        // What one piece cannot read is read in no piece.
        let Self { columns, left_out, .. } = self;
        for columns in [columns, &mut other.columns] {
            columns.retain(|(name, _)| !left_out.iter().any(|(found, what)| found == name && what.is_some()));
        }
        let same =
            self.columns.len() == other.columns.len() && self.names().all(|name| other.get(name).is_some());
        if !same {
            let (own, found) = (list(self.names()), list(other.names()));
            let message =
                format!("expected the columns {own} as in {}, found the columns {found}", self.place(0).0);
            return Err(DataError::Malformed { place: other.place(0).0.to_owned(), message });
        }
        for (name, cells) in other.columns {
            if let Some((_, own)) = self.columns.iter_mut().find(|(found, _)| *found == name) {
                own.append(cells);
            }
        }
        self.places.append(self.rows, other.places);
        self.rows += other.rows;
        Ok(())
    }

    /// The rows at `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|(name, cells)| (name.clone(), cells.select(rows)));
        Self {
            columns: columns.collect(),
            rows: rows.len(),
            places: self.places.select(rows),
            left_out: self.left_out.clone(),
            wording: self.wording.clone(),
            rows_in_cells: self.rows_in_cells.clone(),
        }
    }

    /// The rows but those at fault in `column`: a column of CSV or TSV takes the type of those that are left.
    pub fn without(&self, at_fault: &HashSet<usize>, column: &str) -> Self {
        let rows: Vec<usize> = (0..self.rows).filter(|row| !at_fault.contains(row)).collect();
        let left = self.select(&rows);
        let is_untyped = is_untyped(self.place(0).0);
        match left.get(column) {
            Some(Column::Text(cells)) if is_untyped => {
                // Whether decimals stand behind a comma, the table does not know any more.
                let column_of = |has_comma| parse_cells(cells.clone(), has_comma);
                let found = match column_of(false) {
                    Column::Text(_) => column_of(true),
                    found => found,
                };
                left.with_column(column, found)
            }
            _ => left,
        }
    }

    /// Consecutive rows.
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let columns = self.columns.iter().map(|(name, cells)| (name.clone(), cells.slice(rows.clone())));
        let mut places = self.places.clone();
        places.skip(rows.start);
        Self {
            columns: columns.collect(),
            rows: rows.len(),
            places,
            left_out: self.left_out.clone(),
            wording: self.wording.clone(),
            rows_in_cells: self.rows_in_cells.clone(),
        }
    }

    /// The rows whose cell in column `name` is one that `keep` accepts.
    ///
    /// # Errors
    /// If the column is absent.
    pub fn filter(&self, name: &str, keep: impl Fn(&Value) -> bool) -> Result<Self, DataError> {
        let cells = self.named_column(name)?;
        let rows: Vec<usize> = (0..self.rows).filter(|&row| keep(&cells.cell(row))).collect();
        Ok(self.select(&rows))
    }

    /// The distinct values of column `name` in the order in which they first appear, each with its rows in order.
    /// Numbers and booleans are written as in JSON.
    ///
    /// # Errors
    /// If the column is absent, or a cell is null, a list or an object.
    pub fn groups(&self, name: &str) -> Result<Vec<(String, Vec<usize>)>, DataError> {
        let cells = self.column(name)?;
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for row in 0..self.rows {
            let cell = cells.cell(row);
            let key = plain(&cell)
                .ok_or_else(|| self.fault(name, row, "a string, number or boolean to group by", &cell))?;
            let next = groups.len();
            let group = *known.entry(key).or_insert_with_key(|key| {
                groups.push((key.clone(), Vec::new()));
                next
            });
            groups[group].1.push(row);
        }
        Ok(groups)
    }

    /// The same rows with columns called otherwise, all at once, so that two may swap their names: `names` are pairs of new name
    /// and old name. A column that has the new name already is replaced.
    ///
    /// # Errors
    /// If there is no column with an old name.
    pub fn rename<'a>(
        mut self,
        names: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, DataError> {
        let names: Vec<(&str, &str)> = names.into_iter().collect();
        names.iter().try_for_each(|(_, old)| self.named_column(old).map(|_| ()))?;
        let mut columns = Vec::with_capacity(self.columns.len());
        for (name, column) in std::mem::take(&mut self.columns) {
            let new_names: Vec<&str> =
                names.iter().filter(|(_, old)| *old == name).map(|(new, _)| *new).collect();
            let Some((last, more)) = new_names.split_last() else {
                let is_replaced = names.iter().any(|(new, _)| *new == name);
                columns.extend((!is_replaced).then_some((name, column)));
                continue;
            };
            columns.extend(more.iter().map(|new| ((*new).to_owned(), column.clone())));
            columns.push(((*last).to_owned(), column));
        }
        self.columns = columns;
        self.wording.rename(&names);
        Ok(self)
    }

    /// The same rows with only the named columns: `names` are pairs of new name and old name, so that
    /// `[("sentence1", "eng"), ("sentence2", "ind")]` makes pairs of two columns of parallel texts.
    ///
    /// # Errors
    /// If there is no column with an old name.
    pub fn columns_as<'a>(
        &self,
        names: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, DataError> {
        let columns: Vec<(String, Column)> = names
            .into_iter()
            .map(|(new, old)| Ok((new.to_owned(), self.named_column(old)?.clone())))
            .collect::<Result<_, DataError>>()?;
        let rows_in_cells = self.rows_in_cells.clone();
        Ok(Self { rows_in_cells, ..Self::with_places(columns, self.rows, self.places.clone())? })
    }

    /// The same rows without the columns called `names`, which need not be there.
    #[must_use]
    pub fn leave_out(mut self, names: &[String]) -> Self {
        self.columns.retain(|(name, _)| !names.contains(name));
        self
    }

    /// The same rows with an empty text in place of the cells of column `name` at `rows`.
    #[must_use]
    pub fn with_empty_texts(self, name: &str, rows: &HashSet<usize>) -> Self {
        let Some(column) = self.get(name) else { return self };
        let value = |at| if rows.contains(&at) { Value::from("") } else { column.value(at) };
        let cells = (0..self.rows).map(value).collect();
        self.with_column(name, Column::Any(cells))
    }

    /// The same rows with the cells of column `name` replaced, or with that column added.
    pub fn with_column(mut self, name: &str, column: Column) -> Self {
        debug_assert_eq!(column.len(), self.rows);
        match self.columns.iter_mut().find(|(found, _)| found == name) {
            Some((_, cells)) => *cells = column,
            None => self.columns.push((name.to_owned(), column)),
        }
        self
    }

    /// The same rows with each value of column `name` replaced as `map` says; lists are replaced value by value.
    /// Numbers and booleans are looked up as they are written in JSON, 1.0 also as 1; `*` stands for every value that the map does not
    /// name, but for none: null and the empty text.
    ///
    /// # Errors
    /// If the column is absent, or a value is not in the map.
    pub fn replace_values(self, name: &str, map: &BTreeMap<String, Value>) -> Result<Self, DataError> {
        let cells = self.column(name)?;
        let mut replaced = ColumnBuilder::new(0);
        let values = (0..self.rows).map(|row| {
            let cell = cells.cell(row);
            replaced_value(&cell, map).ok_or_else(|| {
                let known = list(map.keys().map(String::as_str));
                self.fault(name, row, &format!("one of the values {known}"), &cell)
            })
        });
        all_cells(values)?.into_iter().for_each(|value| replaced.push(value));
        Ok(self.with_column(name, replaced.finish()))
    }
}

/// In a map of values: all that the map does not name.
const OTHERS: &str = "*";

fn replaced_value(cell: &Value, map: &BTreeMap<String, Value>) -> Option<Value> {
    match cell {
        Value::Array(values) => values.iter().map(|value| replaced_value(value, map)).collect(),
        value => {
            let name = plain(value)?;
            let whole = || map.get(name.strip_suffix(".0").filter(|_| value.is_number())?);
            // No value is none of the others.
            let other = || map.get(OTHERS).filter(|_| !name.is_empty());
            map.get(&name).or_else(whole).or_else(other).cloned()
        }
    }
}

/// A string itself, a number or a boolean as JSON writes it.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::read_json_lines;

    fn rows() -> Table {
        let lines = concat!(
            "{\"lang\": \"jav\", \"eng\": \"one\", \"ind\": \"satu\", \"label\": 1}\n",
            "{\"lang\": \"ind\", \"eng\": \"two\", \"ind\": \"dua\", \"label\": 2}\n",
            "{\"lang\": \"jav\", \"eng\": \"three\", \"ind\": \"tiga\", \"label\": 1}\n",
        );
        read_json_lines("f.jsonl", lines.as_bytes()).unwrap()
    }

    fn texts<'a>(table: &'a Table, name: &str) -> Vec<&'a str> {
        match table.get(name) {
            Some(Column::Text(texts)) => texts.iter().collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn rows_are_grouped_in_the_order_of_first_appearance() {
        let groups = rows().groups("lang").unwrap();
        assert_eq!(groups, [("jav".to_owned(), vec![0, 2]), ("ind".to_owned(), vec![1])]);
        let javanese = rows().select(&groups[0].1);
        assert_eq!(texts(&javanese, "ind"), ["satu", "tiga"]);
        assert_eq!(javanese.location(1), "f.jsonl, line 3");
    }

    #[test]
    fn rows_are_filtered_by_value() {
        let kept = rows().filter("label", |label| *label == json!(1)).unwrap();
        assert_eq!(texts(&kept, "eng"), ["one", "three"]);
        let error = rows().filter("etiket", |_| true).unwrap_err().to_string();
        assert_eq!(error, "f.jsonl: no column `etiket`; its columns are lang, eng, ind, label");
    }

    #[test]
    fn columns_of_parallel_texts_become_pairs() {
        let pairs = rows().columns_as([("sentence1", "eng"), ("sentence2", "ind")]).unwrap();
        assert_eq!(pairs.names().collect::<Vec<_>>(), ["sentence1", "sentence2"]);
        assert_eq!(texts(&pairs, "sentence2"), ["satu", "dua", "tiga"]);
    }

    #[test]
    fn columns_swap_their_names() {
        let swapped = rows().rename([("eng", "ind"), ("ind", "eng")]).unwrap();
        assert_eq!(swapped.names().collect::<Vec<_>>(), ["lang", "ind", "eng", "label"]);
        assert_eq!((texts(&swapped, "eng")[1], texts(&swapped, "ind")[1]), ("dua", "two"));
        let replaced = rows().rename([("eng", "ind"), ("text", "ind")]).unwrap();
        assert_eq!(replaced.names().collect::<Vec<_>>(), ["lang", "eng", "text", "label"]);
    }

    #[test]
    fn values_are_replaced_and_take_their_new_type() {
        let map = BTreeMap::from([("1".to_owned(), json!("baik")), ("2".to_owned(), json!("buruk"))]);
        let replaced = rows().replace_values("label", &map).unwrap();
        assert_eq!(texts(&replaced, "label"), ["baik", "buruk", "baik"]);
        let error = rows().replace_values("ind", &map).unwrap_err().to_string();
        assert_eq!(
            error,
            "f.jsonl, line 1, column `ind`: expected one of the values 1, 2, found a string: \"satu\"; 2 more \
             rows are invalid: lines 2, 3"
        );
        let lists = Table::new("f", vec![("labels".to_owned(), Column::Any(vec![json!([1, 2])]))]).unwrap();
        assert_eq!(
            lists.replace_values("labels", &map).unwrap().column("labels").unwrap().value(0),
            json!(["baik", "buruk"])
        );
        let map = BTreeMap::from([("2".to_owned(), json!(1)), ("*".to_owned(), json!(0))]);
        let table = Table::new(
            "f",
            vec![("label".to_owned(), Column::Any(vec![json!(2), json!("2"), json!("x"), json!(true)]))],
        );
        let replaced = table.unwrap().replace_values("label", &map).unwrap();
        assert_eq!(replaced.ints("label").unwrap(), [1, 1, 0, 0]);
    }

    #[test]
    fn joined_tables_keep_types_and_places() {
        let ints = Table::new("a", vec![("n".to_owned(), Column::Int(vec![1]))]).unwrap();
        let floats = Table::new("b", vec![("n".to_owned(), Column::Float(vec![2.5]))]).unwrap();
        let all = Table::concat(vec![ints.clone(), floats]).unwrap();
        assert_eq!(all.column("n").unwrap(), &Column::Float(vec![1.0, 2.5]));
        assert_eq!(all.location(1), "b, row 1");
        let error = Table::concat(vec![ints, rows()]).unwrap_err().to_string();
        assert_eq!(error, "f.jsonl: expected the columns n as in a, found the columns lang, eng, ind, label");
    }

    #[test]
    fn a_slice_keeps_its_places() {
        let slice = rows().slice(1..3);
        assert_eq!((slice.rows(), slice.location(1)), (2, "f.jsonl, line 3".to_owned()));
        assert_eq!(texts(&slice, "eng"), ["two", "three"]);
    }

    #[test]
    fn a_star_names_every_other_value_but_none() {
        let map = BTreeMap::from([("1".to_owned(), json!(1)), ("*".to_owned(), json!(0))]);
        let labels = |lines: &str| {
            let table =
                read_json_lines("f.jsonl", lines.as_bytes()).unwrap().replace_values("label", &map)?;
            Ok::<_, DataError>(
                (0..table.rows()).map(|row| table.column("label").unwrap().value(row)).collect(),
            )
        };
        let found: Vec<Value> = labels("{\"label\": 1.0}\n{\"label\": 2.5}\n{\"label\": 1.0}\n").unwrap();
        assert_eq!(found, [json!(1), json!(0), json!(1)]);
        let error = labels("{\"label\": \"1\"}\n{\"label\": null}\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("one of the values"), "{error}");
        assert!(labels("{\"label\": \"1\"}\n{\"label\": \"\"}\n").is_err());
    }
}
