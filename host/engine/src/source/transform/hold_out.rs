//! The rows of a subset without a training split, divided into those to learn from and those to score (protocol 6.9).

use std::collections::BTreeMap;

use mteb_card::{HoldOut, TaskCard};
use mteb_data::Table;
use mteb_measures::stratify::{StratifyError, stratified_split, stratified_subsample};
use mteb_tasks::Part;

use super::labels::{LabelOrder, label_column};
use super::subsample::cannot_be_drawn;
use crate::source::SourceError;

/// Divides the rows of a subset whose card says so.
///
/// # Errors
/// If there are no labels, or one cannot be divided.
pub fn divide(parts: &mut BTreeMap<Part, Table>, card: &TaskCard, subset: &str) -> Result<(), SourceError> {
    let hold_out = card.subset(subset).and_then(|subset| subset.hold_out.as_ref());
    let (Some(hold_out), Some(table)) = (hold_out, parts.get(&Part::Rows)) else { return Ok(()) };
    let order = LabelOrder::of(std::iter::once(table), card.dataset.encode_labels)?;
    let codes = order.codes(table, label_column(table))?;
    let (train, rows) = divided(hold_out, &codes)
        .map_err(|error| cannot_be_drawn(table, held_out(hold_out, codes.len()), &order, error))?;
    let (train, rows) = (table.select(&train), table.select(&rows));
    parts.extend([(Part::Train, train), (Part::Rows, rows)]);
    Ok(())
}

/// The places of the rows to learn from and of those to score, in the order in which they are used.
fn divided(hold_out: &HoldOut, codes: &[u32]) -> Result<(Vec<usize>, Vec<usize>), StratifyError> {
    let seed = u64::from(hold_out.seed);
    let split = stratified_split(codes, held_out(hold_out, codes.len()), seed)?;
    let Some(most) = hold_out.rows else { return Ok((split.others, split.chosen)) };
    let own: Vec<u32> = split.chosen.iter().map(|&row| codes[row]).collect();
    let kept = stratified_subsample(&own, most, seed)?;
    Ok((split.others, kept.into_iter().map(|place| split.chosen[place]).collect()))
}

/// How many of `rows` rows are held out.
fn held_out(hold_out: &HoldOut, rows: usize) -> usize {
    (hold_out.share * rows as f64).ceil() as usize
}
