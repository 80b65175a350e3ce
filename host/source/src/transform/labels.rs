//! Labels as numbers: the place of each among all labels that there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mteb_card::{SoftLabels, SplitLabels};
use mteb_data::{Column, DataError, Table};
use mteb_tasks::Part;
use serde_json::Value;

/// Name of the column with labels.
pub fn label_column(table: &Table) -> &'static str {
    if table.get("label").is_some() { "label" } else { "labels" }
}

/// The rows whose label others have, too.
///
/// # Errors
/// If there is no column of labels, or a label is null, a list or an object.
pub fn without_singles(table: &Table) -> Result<Table, DataError> {
    let groups = table.groups(label_column(table))?;
    let mut rows: Vec<usize> =
        groups.into_iter().filter(|(_, rows)| rows.len() > 1).flat_map(|(_, rows)| rows).collect();
    rows.sort_unstable();
    Ok(table.select(&rows))
}

/// Makes a list of each label, coarse to fine, as Python's `text.split(at)` does.
///
/// # Errors
/// If there is no column of labels, or a label is no text.
pub fn split(table: Table, how: &SplitLabels) -> Result<Table, DataError> {
    let name = label_column(&table);
    let most = how.most.unwrap_or(usize::MAX);
    let levels = |label: &str| Value::Array(label.split(&how.at).take(most).map(Value::from).collect());
    let lists = table.texts(name)?.iter().map(levels).collect();
    Ok(table.with_column(name, Column::Any(lists)))
}

/// Replaces every label by its place among the labels of all parts, sorted as texts, as `class_encode_column` does.
///
/// # Errors
/// If there is no column of labels, or a label is null, a list or an object.
pub fn encode(parts: &mut BTreeMap<Part, Table>) -> Result<(), DataError> {
    let order = LabelOrder::of(parts.values(), false)?;
    for table in parts.values_mut() {
        let name = label_column(table);
        let codes = order.codes(table, name)?.into_iter().map(i64::from).collect();
        *table = std::mem::take(table).with_column(name, Column::Int(codes));
    }
    Ok(())
}

/// The table with a column `label`: the place of the class that each cell names or gives the largest weight. Rows
/// whose cell does neither are left out.
///
/// # Errors
/// If the column is absent.
pub fn harden(table: Table, soft: &SoftLabels) -> Result<Table, DataError> {
    let cells = table.column(&soft.column)?;
    let (rows, labels): (Vec<usize>, Vec<i64>) = (0..table.rows())
        .filter_map(|row| Some((row, class_of(&cells.value(row), &soft.classes)? as i64)))
        .unzip();
    Ok(table.select(&rows).with_column("label", Column::Int(labels)))
}

fn class_of(cell: &Value, classes: &[String]) -> Option<usize> {
    if let Value::String(text) = cell {
        if let Some(place) = classes.iter().position(|class| class == text) {
            return Some(place);
        }
        let list: Value = serde_json::from_str(text).ok()?;
        return if list.is_array() { class_of(&list, classes) } else { None };
    }
    let weights: Vec<f64> = cell.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    if weights.len() != classes.len() {
        return None;
    }
    let mut largest = 0;
    for (place, weight) in weights.iter().enumerate() {
        if *weight > weights[largest] {
            largest = place;
        }
    }
    Some(largest)
}

/// The labels of all parts in order.
pub struct LabelOrder {
    codes: HashMap<String, u32>,
    names: Vec<String>,
}

impl LabelOrder {
    /// The labels of `tables`, ordered as texts or as numbers.
    ///
    /// # Errors
    /// If there is no column of labels, or a label is null, a list or an object.
    pub fn of<'a>(tables: impl Iterator<Item = &'a Table>, as_numbers: bool) -> Result<Self, DataError> {
        let mut names = BTreeSet::new();
        for table in tables {
            names.extend(table.groups(label_column(table))?.into_iter().map(|(name, _)| name));
        }
        Ok(Self::new(names, as_numbers))
    }

    /// The labels called `names`.
    pub fn new(names: BTreeSet<String>, as_numbers: bool) -> Self {
        let mut names: Vec<String> = names.into_iter().collect();
        if as_numbers {
            let number = |name: &String| name.parse::<f64>().unwrap_or(f64::INFINITY);
            names.sort_by(|left, right| number(left).total_cmp(&number(right)));
        }
        let codes = names.iter().cloned().zip(0..).collect();
        Self { codes, names }
    }

    /// The label whose code is `code`.
    pub fn name(&self, code: u32) -> &str {
        self.names.get(code as usize).map_or("", String::as_str)
    }

    /// The code of the label called `name`; a label that is none of these counts as the first.
    pub fn code(&self, name: &str) -> u32 {
        self.codes.get(name).copied().unwrap_or_default()
    }

    /// The code of each row of column `name`.
    ///
    /// # Errors
    /// If the column is absent, or a label is null, a list or an object.
    pub fn codes(&self, table: &Table, name: &str) -> Result<Vec<u32>, DataError> {
        let mut codes = vec![0; table.rows()];
        for (label, rows) in table.groups(name)? {
            rows.iter().for_each(|&row| codes[row] = self.code(&label));
        }
        Ok(codes)
    }
}
