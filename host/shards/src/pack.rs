//! Packs units into shards of equal length: the longest first, each to the shard that has least (Graham 1969).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How much longer than it must be the longest shard may be before what belongs together is cut.
const TOLERANCE: f64 = 1.05;

/// How often the size up to which work stays together is halved.
const HALVINGS: u32 = 7;

/// Units that one shard scores, because their texts are encoded together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Numbers of the units, ascending.
    pub units: Vec<usize>,
    /// Estimated seconds.
    pub seconds: f64,
}

/// Tasks that share texts: one shard scores them all, unless they are more than its part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    /// Tasks, each with its pieces in the order in which one machine scores them.
    pub tasks: Vec<Vec<Piece>>,
}

/// The shard of each of `units` units, for `shards` shards.
pub fn pack(bundles: &[Bundle], units: usize, shards: usize) -> Vec<usize> {
    let shards = shards.max(1);
    let target = pieces_of(bundles).map(|piece| piece.seconds).sum::<f64>() / shards as f64;
    let least = target.max(longest(bundles));
    let mut best: Option<(f64, Vec<usize>)> = None;
    for halving in 0..HALVINGS {
        // What belongs together is cut no further than it takes to make the shards equal.
        let together = target / f64::from(1u32 << halving);
        let (makespan, assigned) = pack_pieces(cut_all(bundles, together), units, shards);
        if best.as_ref().is_none_or(|(before, _)| makespan < before - 1e-9) {
            best = Some((makespan, assigned));
        }
        if makespan <= TOLERANCE * least {
            break;
        }
    }
    best.map(|(_, assigned)| assigned).unwrap_or_default()
}

/// The same for as few shards as keep each within `budget` seconds, where that can be; else for so many that only single pieces are beyond.
pub fn pack_within(bundles: &[Bundle], units: usize, budget: f64) -> (Vec<usize>, usize) {
    let total: f64 = pieces_of(bundles).map(|piece| piece.seconds).sum();
    let within = budget.max(longest(bundles)) * 1.000_001;
    let most = pieces_of(bundles).count().max(1);
    let mut shards = ((total / within).ceil() as usize).clamp(1, most);
    loop {
        let assigned = pack(bundles, units, shards);
        let mut loads = vec![0.0; shards];
        for piece in pieces_of(bundles) {
            piece.units.first().into_iter().for_each(|&unit| loads[assigned[unit]] += piece.seconds);
        }
        if shards >= most || loads.iter().all(|&load| load <= within) {
            return (assigned, shards);
        }
        shards = (shards + (shards / 50).max(1)).min(most);
    }
}

fn pieces_of(bundles: &[Bundle]) -> impl Iterator<Item = &Piece> {
    bundles.iter().flat_map(|bundle| bundle.tasks.iter().flatten())
}

fn longest(bundles: &[Bundle]) -> f64 {
    pieces_of(bundles).map(|piece| piece.seconds).fold(0.0, f64::max)
}

/// The longest load, and the shard of each unit.
fn pack_pieces(mut pieces: Vec<Piece>, units: usize, shards: usize) -> (f64, Vec<usize>) {
    // Of equal length the first, so that the same plan is made again.
    pieces.sort_by(|left, right| {
        right.seconds.total_cmp(&left.seconds).then_with(|| left.units.cmp(&right.units))
    });
    let mut loads: BinaryHeap<Reverse<(Nanoseconds, usize)>> =
        (0..shards).map(|shard| Reverse((0, shard))).collect();
    let mut assigned = vec![0; units];
    for piece in pieces {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        piece.units.iter().for_each(|&unit| assigned[unit] = shard);
        loads.push(Reverse((load + nanoseconds(piece.seconds), shard)));
    }
    let makespan = loads.into_iter().map(|Reverse((load, _))| load).max().unwrap_or_default();
    (makespan as f64 / 1e9, assigned)
}

/// Seconds as the heap compares them.
type Nanoseconds = u128;

fn nanoseconds(seconds: f64) -> Nanoseconds {
    (seconds.max(0.0) * 1e9) as Nanoseconds
}

/// What goes to one shard: bundles, tasks or pieces of them, whichever takes no more than `together` seconds.
fn cut_all(bundles: &[Bundle], together: f64) -> Vec<Piece> {
    let mut all = Vec::new();
    for bundle in bundles {
        let whole = joined(bundle.tasks.iter().flatten(), f64::INFINITY);
        if whole.iter().all(|piece| piece.seconds <= together) {
            all.extend(whole);
            continue;
        }
        for task in &bundle.tasks {
            let whole = joined(task.iter(), f64::INFINITY);
            let is_small = whole.iter().all(|piece| piece.seconds <= together);
            all.extend(if is_small { whole } else { joined(task.iter(), together / 4.0) });
        }
    }
    all
}

/// Neighbours joined as long as they take no more than `most` seconds.
fn joined<'a>(pieces: impl Iterator<Item = &'a Piece>, most: f64) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match all.last_mut() {
            Some(last) if last.seconds + piece.seconds <= most => {
                last.units.extend(&piece.units);
                last.seconds += piece.seconds;
            }
            _ => all.push(piece.clone()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// One bundle a task; each unit is a piece of its own.
    fn bundles(tasks: &[&[f64]]) -> (Vec<Bundle>, Vec<f64>) {
        let mut seconds = Vec::new();
        let mut bundles = Vec::new();
        for task in tasks {
            let piece = |(unit, &seconds): (usize, &f64)| Piece { units: vec![unit], seconds };
            let begin = seconds.len();
            let task: Vec<Piece> =
                task.iter().enumerate().map(|(unit, seconds)| piece((begin + unit, seconds))).collect();
            seconds.extend(task.iter().map(|piece| piece.seconds));
            bundles.push(Bundle { tasks: vec![task] });
        }
        (bundles, seconds)
    }

    fn loads(assigned: &[usize], seconds: &[f64], shards: usize) -> Vec<f64> {
        let mut loads = vec![0.0; shards];
        assigned.iter().zip(seconds).for_each(|(&shard, seconds)| loads[shard] += seconds);
        loads
    }

    #[test]
    fn the_longest_go_first() {
        let (bundles, seconds) = bundles(&[&[5.0], &[4.0], &[3.0], &[3.0], &[3.0]]);
        let assigned = pack(&bundles, 5, 2);
        assert_eq!(assigned, [0, 1, 1, 0, 1]);
        assert_eq!(loads(&assigned, &seconds, 2), [8.0, 10.0]);
    }

    #[test]
    fn a_task_stays_whole_unless_it_is_more_than_a_shard() {
        let (bundles, _) = bundles(&[&[5.0, 5.0], &[5.0, 5.0], &[10.0, 10.0]]);
        let assigned = pack(&bundles, 6, 4);
        assert_eq!((assigned[0], assigned[2]), (assigned[1], assigned[3]));
        let shards: BTreeSet<usize> = assigned.iter().copied().collect();
        assert_eq!(shards.len(), 4, "{assigned:?}");
    }

    #[test]
    fn tasks_that_share_texts_stay_together_where_that_costs_nothing() {
        let (mut all, _) = bundles(&[&[3.0], &[3.0], &[6.0]]);
        let second = all.remove(1);
        all[0].tasks.extend(second.tasks);
        assert_eq!(pack(&all, 3, 2), [0, 0, 1]);
    }

    #[test]
    fn units_whose_texts_are_encoded_together_are_never_cut() {
        let piece = Piece { units: vec![0, 1, 2], seconds: 30.0 };
        let (mut all, _) = bundles(&[]);
        all.push(Bundle { tasks: vec![vec![piece, Piece { units: vec![3], seconds: 1.0 }]] });
        assert_eq!(pack(&all, 4, 4)[..3], [0, 0, 0]);
    }

    #[test]
    fn many_tasks_of_all_lengths_make_equal_shards() {
        // Lengths as those of a benchmark: a few long ones, many short ones.
        let lengths: Vec<Vec<f64>> = (1..=120)
            .map(|task| (0..1 + task % 7).map(|unit| 4000.0 / f64::from(task) + f64::from(unit)).collect())
            .collect();
        let tasks: Vec<&[f64]> = lengths.iter().map(Vec::as_slice).collect();
        let (bundles, seconds) = bundles(&tasks);
        let longest = seconds.iter().copied().fold(0.0, f64::max);
        for shards in [1, 2, 3, 8, 16, 33, 64, 128, 256] {
            let found = loads(&pack(&bundles, seconds.len(), shards), &seconds, shards);
            let makespan = found.iter().copied().fold(0.0, f64::max);
            let least = (seconds.iter().sum::<f64>() / shards as f64).max(longest);
            assert!(makespan <= 1.1 * least, "{shards} shards: {makespan} s, at least {least} s");
        }
    }

    #[test]
    fn more_shards_than_units_leave_some_empty() {
        let (bundles, _) = bundles(&[&[1.0], &[2.0]]);
        assert_eq!(pack(&bundles, 2, 8), [1, 0]);
        assert_eq!(pack(&[], 0, 3), [0usize; 0]);
    }

    #[test]
    fn a_budget_makes_as_many_shards_as_it_needs() {
        let (bundles, seconds) = bundles(&[&[6.0], &[6.0], &[6.0], &[30.0]]);
        let (assigned, shards) = pack_within(&bundles, 4, 12.0);
        assert!(loads(&assigned, &seconds, shards).iter().all(|&load| load <= 30.0), "{assigned:?}");
        let (assigned, shards) = pack_within(&bundles[..3], 3, 12.0);
        assert_eq!(shards, 2, "{assigned:?}");
    }
}
