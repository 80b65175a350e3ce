//! What a shard scores: the tasks that have data, in the order of a run, and of them the units and ranges of the shard.

use std::collections::{HashMap, HashSet};

use mteb_registry::{Selected, TakenSubsets};
use mteb_results::identity::DataFacts;
use mteb_shards::{PlannedUnit, ShardPlan};
use mteb_tasks::Ranges;

use super::pins::from_value;
use crate::run::{RunPart, by_dataset};

/// The tasks with data of `tasks`, each once with all of its splits and subsets that are asked for, in the order of a run.
pub fn tasks_in_order(tasks: &[Selected]) -> Vec<Selected> {
    let mut found: Vec<Selected> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for task in by_dataset(tasks).into_iter().flat_map(|number| tasks[number].with_data()) {
        let name = task.entry.card.name.clone();
        match places.get(&name) {
            // It runs alone and as a member of another, or as one of two.
            Some(&place) => found[place] = unite_units(&found[place], &task),
            None => {
                places.insert(name, found.len());
                found.push(task);
            }
        }
    }
    found
}

/// The splits and subsets of both.
fn unite_units(left: &Selected, right: &Selected) -> Selected {
    let wanted = |split: &&String| left.splits.contains(split) || right.splits.contains(split);
    let splits = left.entry.card.eval_splits.iter().filter(wanted).cloned().collect();
    let subsets = match (left.subsets.named(), right.subsets.named()) {
        (Some(left_names), Some(right_names)) => {
            let names: HashSet<&str> = left_names.union(&right_names).copied().collect();
            TakenSubsets::among(&left.entry.card, &names)
        }
        _ => TakenSubsets::All,
    };
    Selected { entry: left.entry.clone(), subsets, splits }
}

/// The part of the run that `shard` scores, with all units of the tasks of which it scores some.
pub fn part_of(plan: &ShardPlan, shard: usize) -> RunPart {
    let mut part = RunPart::default();
    // Of tasks of which the shard scores nothing, it needs nothing: they may be nearly all of a plan.
    let own = plan.tasks.iter().filter(|task| task.units.iter().any(|unit| unit.is_of(shard)));
    for (task, unit) in own.flat_map(|task| task.units.iter().map(move |unit| (task, unit))) {
        let data = DataFacts::from_json(&from_value(&unit.data));
        let ranges = (!unit.ranges.is_empty()).then(|| ranges_of(unit, shard));
        part.add(&task.task, (&unit.split, &unit.subset), (unit.is_of(shard), ranges), data);
    }
    part
}

/// The ranges of the corpus of a unit that `shard` searches. How many documents there are is an estimate: the last range has no end.
pub fn ranges_of(unit: &PlannedUnit, shard: usize) -> Ranges {
    let last = unit.ranges.len().saturating_sub(1);
    let numbers = |number: usize| number as u32..if number == last { u32::MAX } else { number as u32 + 1 };
    let own = unit.ranges.iter().enumerate().filter(|(_, range)| range.shard == shard);
    Ranges::new(own.map(|(number, _)| numbers(number)).collect())
}
