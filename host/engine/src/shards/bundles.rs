//! What a unit of a plan is estimated to take, and what of a run should not be cut: tasks that
//! share a dataset, and units whose texts are encoded together.

use mteb_registry::Selected;
use mteb_shards::{Bundle, Piece, SizeSource};
use mteb_tasks::{RANGE_DOCUMENTS, RANGE_PAIRS};

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

/// What a unit is estimated to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitEstimate {
    /// Number of its texts, if it is known.
    pub texts: Option<u64>,
    /// Their characters, if they are known.
    pub characters: Option<u64>,
    /// Who counted.
    pub counted: SizeSource,
    /// Seconds.
    pub seconds: f64,
    /// The ranges into which its corpus, or its pairs, are cut, of which shards may take some: 1 where the unit is the smallest piece.
    pub ranges: usize,
}

/// Ranges up to which a unit is not cut: what every shard does of it, whatever its part, is worth it only beyond. Plans depend on
/// neither the number of shards nor the machine.
const MOST_UNCUT: u64 = 2;

/// The ranges into which a corpus of about so many documents is cut.
pub fn ranges_of_corpus(documents: u64) -> usize {
    ranges(documents, RANGE_DOCUMENTS)
}

/// The ranges into which about so many pairs of queries and candidates are cut.
pub fn ranges_of_pairs(pairs: u64) -> usize {
    ranges(pairs, RANGE_PAIRS)
}

fn ranges(all: u64, of_range: u32) -> usize {
    let ranges = all.div_ceil(of_range.into());
    if ranges <= MOST_UNCUT { 1 } else { ranges as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_corpus_is_cut_whatever_the_number_of_shards() {
        assert_eq!([1, 100_000, 100_001, 8_841_823].map(ranges_of_corpus), [1, 1, 3, 177]);
        assert_eq!([1, 65_536, 65_537, 698_000].map(ranges_of_pairs), [1, 1, 3, 22]);
    }
}
