//! The rows of a subset without a training split, divided into those to learn from and those to score (protocol 6.9).

use std::collections::BTreeMap;

use mteb_card::{HoldOut, TaskCard};
use mteb_data::Table;
use mteb_measures::stratify::{StratifyError, stratified_split, stratified_subsample};
use mteb_tasks::Part;

use super::labels::{LabelOrder, label_column};
use super::subsample::cannot_be_drawn;
use crate::SourceError;

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
    let (train, rows) = divided(hold_out, &codes)
        .map_err(|error| cannot_be_drawn(table, held_out(hold_out, codes.len()), &order, error))?;
    let (train, rows) = (table.select(&train), table.select(&rows));
    parts.extend([(Part::Train, train), (Part::Rows, rows)]);
    Ok(())
}

/// The places of the rows to learn from and of those to score, in the order in which they are used.
fn divided(hold_out: &HoldOut, codes: &[u32]) -> Result<(Vec<usize>, Vec<usize>), StratifyError> {
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
