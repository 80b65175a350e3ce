//! The units of a shard, as a run scores them.

use mteb_results::identity::DataFacts;
use mteb_shards::{PlannedUnit, ShardPlan};
use mteb_tasks::Ranges;

use super::pins::from_value;
use crate::run::RunPart;

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
