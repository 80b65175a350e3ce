//! What of a run should not be cut: tasks that share a dataset, and units whose texts are encoded together.

use mteb_registry::Selected;
use mteb_shards::{Bundle, Piece};

use super::estimate::UnitEstimate;
use crate::run::group::{Limits, block_of};

/// The bundles of `tasks`, whose units have these `estimates`. What a shard can be given is numbered through all tasks: units, and ranges of
/// their corpora in place of those that are cut.
pub fn bundles(tasks: &[Selected], estimates: &[UnitEstimate]) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let (mut begin, mut number, mut before) = (0, 0, None);
    for task in tasks {
        let place = task.entry.card.dataset.place();
        let units = task.units().count();
        let task_estimates = estimates.get(begin..begin + units).unwrap_or_default();
        let pieces = pieces(task, number, task_estimates);
        begin += units;
        number += task_estimates.iter().map(|estimate| estimate.ranges).sum::<usize>();
        match bundles.last_mut() {
            Some(last) if place.is_some() && place == before => last.tasks.push(pieces),
            _ => bundles.push(Bundle { tasks: vec![pieces] }),
        }
        before = place;
    }
    bundles
}

/// The units of a task, those together whose texts a run encodes together, as far as their sizes are known. Where they are not, or a run
/// cuts otherwise, a shard encodes some texts of others, too, and the scores are the same.
fn pieces(task: &Selected, mut number: usize, estimates: &[UnitEstimate]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut current, mut bytes, mut limits) = (None, 0, Limits::of_block(0));
    for (position, estimate) in estimates.iter().enumerate() {
        if estimate.ranges > 1 {
            let seconds = estimate.seconds / estimate.ranges as f64;
            pieces.extend(
                (number..number + estimate.ranges).map(|range| Piece { units: vec![range], seconds }),
            );
            (current, number) = (None, number + estimate.ranges);
            continue;
        }
        let block = block_of(task.entry.card.task_type, position);
        let size = estimate
            .characters
            .map_or(usize::MAX, |characters| usize::try_from(characters).unwrap_or(usize::MAX));
        if current != Some(block) {
            (current, bytes, limits) = (Some(block), 0, Limits::of_block(block));
            pieces.push(Piece::default());
        } else if bytes >= limits.current() || size > limits.current() - bytes {
            bytes = 0;
            limits.grow();
            pieces.push(Piece::default());
        }
        bytes = bytes.saturating_add(size);
        if let Some(piece) = pieces.last_mut() {
            piece.units.push(number);
            piece.seconds += estimate.seconds;
        }
        number += 1;
    }
    pieces
}
