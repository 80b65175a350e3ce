//! Subsamples that keep the shares of the labels, or are drawn of all rows alike (protocol 6.8,
//! 6.9), and the rows of a subset without a training split, divided into those to learn from and
//! those to score.

use std::collections::{BTreeMap, BTreeSet};

use mteb_card::{HoldOut, Subsample, TaskCard};
use mteb_data::{Column, DataError, Table};
use mteb_measures::stratify::{
    StratifyError, iterative_subsample, plain_subsample, stratified_split, stratified_subsample,
};
use mteb_tasks::Part;
use serde_json::Value;

use super::labels::{LabelOrder, label_column};
use crate::SourceError;

/// Subsamples the parts whose splits the card names.
///
/// # Errors
/// If there are no labels, or one cannot be divided.
pub fn apply(
    parts: &mut BTreeMap<Part, Table>,
    subsample: &Subsample,
    card: &TaskCard,
    split: &str,
) -> Result<(), SourceError> {
    let train = card.dataset.training_split();
    let is_named = |split: &str| match &subsample.splits {
        Some(splits) => splits.iter().any(|name| name == split),
        None => true,
    };
    let as_numbers = subsample.class_numbers || card.dataset.encode_labels;
    let mut chosen = Vec::new();
    for (&part, table) in &*parts {
        // The training split is left whole unless the card names it, or it is evaluated itself.
        let is_sampled = match part {
            Part::Train => (subsample.splits.is_some() || train == split) && is_named(train),
            _ => is_named(split),
        };
        if is_sampled && table.rows() > subsample.rows {
            chosen.push((part, rows(table, parts, subsample, as_numbers)?));
        }
    }
    for (part, rows) in chosen {
        if let Some(table) = parts.get_mut(&part) {
            *table = table.select(&rows);
        }
    }
    Ok(())
}

fn rows(
    table: &Table,
    parts: &BTreeMap<Part, Table>,
    subsample: &Subsample,
    as_numbers: bool,
) -> Result<Vec<usize>, SourceError> {
    if subsample.any_label {
        return Ok(plain_subsample(table.rows(), subsample.rows, u64::from(subsample.seed)));
    }
    let name = subsample.label.as_deref().unwrap_or_else(|| label_column(table));
    if matches!(table.column(name)?, Column::Any(cells) if cells.iter().any(Value::is_array)) {
        return Ok(iterative_subsample(&label_sets(table, name)?, subsample.rows, subsample.seed));
    }
    let mut names = BTreeSet::new();
    for part in parts.values() {
        names.extend(part.groups(name)?.into_iter().map(|(name, _)| name));
    }
    let order = LabelOrder::new(names, as_numbers);
    let codes = order.codes(table, name)?;
    stratified_subsample(&codes, subsample.rows, u64::from(subsample.seed))
        .map_err(|error| cannot_be_drawn(table, subsample.rows, &order, error))
}

/// Why so many of the rows of a table cannot be drawn, with the label at fault by its name.
pub fn cannot_be_drawn(table: &Table, rows: usize, order: &LabelOrder, error: StratifyError) -> SourceError {
    let why = match error {
        StratifyError::LonelyLabel { label } => {
            format!("expected at least 2 rows of every label, found 1 of {}", order.name(label))
        }
        error => error.to_string(),
    };
    SourceError::Transform(format!("{}: a subsample of {rows} rows cannot be drawn: {why}", table.place(0).0))
}

/// The codes of each row's labels, ascending, each once.
fn label_sets(table: &Table, name: &str) -> Result<Vec<Vec<u32>>, DataError> {
    let lists = table.lists(name)?;
    let text = |label: &Value| match label {
        Value::String(text) => text.clone(),
        label => label.to_string(),
    };
    let names: BTreeSet<String> = lists.iter().flatten().map(text).collect();
    let order = LabelOrder::new(names, lists.iter().flatten().all(Value::is_number));
    let codes = |list: &Vec<Value>| {
        let codes: BTreeSet<u32> = list.iter().map(|label| order.code(&text(label))).collect();
        codes.into_iter().collect()
    };
    Ok(lists.iter().map(codes).collect())
}

/// Divides the rows of a subset if its card says so.
///
/// # Errors
/// If there are no labels, or one cannot be divided.
pub fn divide(parts: &mut BTreeMap<Part, Table>, card: &TaskCard, subset: &str) -> Result<(), SourceError> {
    let (Some(hold_out), Some(table)) = (card.hold_out(subset), parts.get(&Part::Rows)) else {
        return Ok(());
    };
    let name = hold_out.by.as_deref().unwrap_or_else(|| label_column(table));
    let names = table.groups(name)?.into_iter().map(|(name, _)| name).collect();
    let order = LabelOrder::new(names, card.dataset.encode_labels && hold_out.by.is_none());
    let codes = order.codes(table, name)?;
    check_count(hold_out, table)?;
    let (train, rows) = divide_rows(hold_out, &codes)
        .map_err(|error| cannot_be_drawn(table, held_out(hold_out, codes.len()), &order, error))?;
    let (train, rows) = (table.select(&train), table.select(&rows));
    parts.extend([(Part::Train, train), (Part::Rows, rows)]);
    Ok(())
}

/// The places of the rows to learn from and of those to score, in the order in which they are used.
fn divide_rows(hold_out: &HoldOut, codes: &[u32]) -> Result<(Vec<usize>, Vec<usize>), StratifyError> {
    let seed = u64::from(hold_out.seed);
    let test = held_out(hold_out, codes.len());
    let train = hold_out.train.unwrap_or_else(|| codes.len().saturating_sub(test));
    let split = stratified_split(codes, (train, test), seed)?;
    let Some(most) = hold_out.rows else { return Ok((split.others, split.chosen)) };
    let own: Vec<u32> = split.chosen.iter().map(|&row| codes[row]).collect();
    let kept = stratified_subsample(&own, most, seed)?;
    Ok((split.others, kept.into_iter().map(|place| split.chosen[place]).collect()))
}

/// As many rows as are asked for must be there.
fn check_count(hold_out: &HoldOut, table: &Table) -> Result<(), SourceError> {
    let (test, train) = (held_out(hold_out, table.rows()), hold_out.train.unwrap_or(1));
    if test + train <= table.rows() {
        return Ok(());
    }
    Err(SourceError::Transform(format!(
        "{}: rows cannot be split into {test} to score and {train} to train on: expected at least {} rows, \
         found {}",
        table.place(0).0,
        test + train,
        table.rows()
    )))
}

/// How many of `rows` rows are held out.
fn held_out(hold_out: &HoldOut, rows: usize) -> usize {
    hold_out.test.unwrap_or_else(|| (hold_out.share * rows as f64).ceil() as usize)
}
