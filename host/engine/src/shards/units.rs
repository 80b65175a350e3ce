//! The units of a shard, as a run scores them.

use mteb_results::identity::DataFacts;
use mteb_shards::ShardPlan;

use super::pins::from_value;
use crate::run::RunPart;

/// The part of the run that `shard` scores.
pub fn part_of(plan: &ShardPlan, shard: usize) -> RunPart {
    let mut part = RunPart::default();
    for (task, unit) in plan.units() {
        let data = DataFacts::from_json(&from_value(&unit.data));
        part.add(&task.task, (&unit.split, &unit.subset), unit.shard == shard, data);
    }
    part
}
