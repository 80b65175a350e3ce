//! Packs units into shards of equal length: the longest first, each to the shard that has least (Graham 1969).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Units that one shard scores, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Numbers of the units, ascending.
    pub units: Vec<usize>,
    /// Estimated seconds.
    pub seconds: f64,
}

/// Units that share texts, in the order in which one machine scores them: one shard scores them all, unless they are more than its part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    /// Tasks, each with its blocks of units, which are not cut unless a block alone is more than a shard's part.
    pub tasks: Vec<Vec<Piece>>,
}

impl Bundle {
    fn seconds(&self) -> f64 {
        self.tasks.iter().flatten().map(|block| block.seconds).sum()
    }
}

/// The shard of every unit, for `shards` shards; `seconds` are those of each unit.
pub fn pack(bundles: &[Bundle], seconds: &[f64], shards: usize) -> Vec<usize> {
    let shards = shards.max(1);
    let target = seconds.iter().sum::<f64>() / shards as f64;
    let mut pieces: Vec<Piece> = bundles.iter().flat_map(|bundle| cut(bundle, seconds, target)).collect();
    // Of equal length the first, so that the same plan is made again.
    pieces.sort_by(|left, right| {
        right.seconds.total_cmp(&left.seconds).then_with(|| left.units.cmp(&right.units))
    });
    let mut heap: BinaryHeap<Reverse<(Nanoseconds, usize)>> =
        (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut assigned = vec![0; seconds.len()];
    for piece in pieces {
        let Some(Reverse((load, shard))) = heap.pop() else { break };
        piece.units.iter().for_each(|&unit| assigned[unit] = shard);
        heap.push(Reverse((load + nanoseconds(piece.seconds), shard)));
    }
    assigned
}

/// The same for as few shards as keep each within `budget` seconds, where that can be; else for so many that only single units are beyond.
pub fn pack_within(bundles: &[Bundle], seconds: &[f64], budget: f64) -> (Vec<usize>, usize) {
    let total: f64 = seconds.iter().sum();
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let most = seconds.len().max(1);
    let mut shards = ((total / budget.max(longest)).ceil() as usize).clamp(1, most);
    loop {
        let assigned = pack(bundles, seconds, shards);
        let mut loads = vec![0.0; shards];
        assigned.iter().zip(seconds).for_each(|(&shard, seconds)| loads[shard] += seconds);
        let is_within = loads.iter().all(|&load| load <= budget.max(longest) * 1.000_001);
        if is_within || shards >= most {
            return (assigned, shards);
        }
        shards += (shards / 50).max(1);
        shards = shards.min(most);
    }
}

/// Seconds as the heap compares them.
type Nanoseconds = u128;

fn nanoseconds(seconds: f64) -> Nanoseconds {
    (seconds.max(0.0) * 1e9) as Nanoseconds
}

/// What of a bundle goes to one shard: all of it, or its tasks, their blocks, single units, as small as `target` asks for.
fn cut(bundle: &Bundle, seconds: &[f64], target: f64) -> Vec<Piece> {
    if bundle.seconds() <= target {
        return joined(bundle.tasks.iter().flatten().cloned(), f64::INFINITY);
    }
    let mut pieces = Vec::new();
    for blocks in &bundle.tasks {
        let whole: f64 = blocks.iter().map(|block| block.seconds).sum();
        if whole <= target {
            pieces.extend(joined(blocks.iter().cloned(), f64::INFINITY));
            continue;
        }
        let mut small = Vec::new();
        for block in blocks {
            if block.seconds <= target {
                small.push(block.clone());
                continue;
            }
            pieces.extend(joined(small.drain(..), target));
            let unit = |&unit: &usize| Piece { units: vec![unit], seconds: seconds[unit] };
            pieces.extend(joined(block.units.iter().map(unit), target));
        }
        pieces.extend(joined(small.into_iter(), target));
    }
    pieces
}

/// Neighbours joined as long as they are at most a quarter of `target`, so that what is left can still be balanced.
fn joined(blocks: impl Iterator<Item = Piece>, target: f64) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for block in blocks {
        match pieces.last_mut() {
            Some(last) if last.seconds + block.seconds <= target / 4.0 => {
                last.units.extend(block.units);
                last.seconds += block.seconds;
            }
            _ => pieces.push(block),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One bundle a task; each task has one block of these units.
    fn bundles(tasks: &[&[f64]]) -> (Vec<Bundle>, Vec<f64>) {
        let mut seconds = Vec::new();
        let mut bundles = Vec::new();
        for task in tasks {
            let units = (seconds.len()..seconds.len() + task.len()).collect();
            seconds.extend_from_slice(task);
            bundles.push(Bundle { tasks: vec![vec![Piece { units, seconds: task.iter().sum() }]] });
        }
        (bundles, seconds)
    }

    fn loads(assigned: &[usize], seconds: &[f64], shards: usize) -> Vec<f64> {
        let mut loads = vec![0.0; shards];
        assigned.iter().zip(seconds).for_each(|(&shard, seconds)| loads[shard] += seconds);
        loads
    }

    #[test]
    fn the_longest_go_first_and_shards_are_equal() {
        let (bundles, seconds) = bundles(&[&[5.0], &[4.0], &[3.0], &[3.0], &[3.0]]);
        let assigned = pack(&bundles, &seconds, 2);
        assert_eq!(assigned, [0, 1, 1, 0, 1]);
        assert_eq!(loads(&assigned, &seconds, 2), [8.0, 10.0]);
    }

    #[test]
    fn a_task_stays_whole_unless_it_is_more_than_a_shard() {
        let (bundles, seconds) = bundles(&[&[1.0, 1.0], &[1.0, 1.0], &[10.0, 10.0, 10.0, 10.0]]);
        let assigned = pack(&bundles, &seconds, 4);
        assert_eq!(assigned[0], assigned[1]);
        assert_eq!(assigned[2], assigned[3]);
        let large: std::collections::BTreeSet<usize> = assigned[4..].iter().copied().collect();
        assert_eq!(large.len(), 4, "{assigned:?}");
    }

    #[test]
    fn more_shards_than_units_leave_some_empty() {
        let (bundles, seconds) = bundles(&[&[1.0], &[2.0]]);
        assert_eq!(pack(&bundles, &seconds, 8), [1, 0]);
        assert_eq!(pack(&[], &[], 3), [0usize; 0]);
    }

    #[test]
    fn a_budget_makes_as_many_shards_as_it_needs() {
        let (bundles, seconds) = bundles(&[&[6.0], &[6.0], &[6.0], &[30.0]]);
        let (assigned, shards) = pack_within(&bundles, &seconds, 12.0);
        assert!(loads(&assigned, &seconds, shards).iter().all(|&load| load <= 30.0), "{assigned:?}");
        let (assigned, shards) = pack_within(&bundles[..3], &seconds[..3], 12.0);
        assert_eq!(shards, 2, "{assigned:?}");
    }
}
