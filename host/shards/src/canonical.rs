//! The hash of a plan by its meaning: keys in their order, no white space. A plan has tens of thousands of units, and every shard hashes all
//! of it, so that its fields stand here in the order of their names, and are written without a value of JSON between.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::plan::{PlannedRange, PlannedShard, PlannedTask, PlannedUnit, ShardPlan, SizeSource};

impl ShardPlan {
    /// SHA-256 of what the plan says, however its file is laid out, as 64 hex digits.
    pub fn hash(&self) -> String {
        // To write into memory, and to read from it, cannot fail.
        let bytes = serde_json::to_vec(&SortedPlan::of(self)).unwrap_or_default();
        mteb_files::sha256(bytes.as_slice()).unwrap_or_default()
    }
}

#[derive(serde::Serialize)]
struct SortedPlan<'a> {
    arguments: &'a [String],
    cost: SortedCost<'a>,
    model: Sorted<'a>,
    mteb_host: &'a str,
    places: &'a [String],
    plugins: &'a BTreeMap<String, String>,
    schema: u32,
    shards: Vec<SortedShard>,
    smallest_piece: &'a str,
    tasks: Vec<SortedTask<'a>>,
}

#[derive(serde::Serialize)]
struct SortedCost<'a> {
    from: &'a str,
    tokens_per_second: f64,
}

#[derive(serde::Serialize)]
struct SortedShard {
    seconds: f64,
    units: usize,
}

#[derive(serde::Serialize)]
struct SortedTask<'a> {
    options: Vec<Sorted<'a>>,
    revision: &'a str,
    task: &'a str,
    units: Vec<SortedUnit<'a>>,
}

#[derive(serde::Serialize)]
struct SortedUnit<'a> {
    characters: Option<u64>,
    counted: SizeSource,
    data: Sorted<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_stage: Option<&'a str>,
    options: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<SortedRange>,
    seconds: f64,
    shard: usize,
    split: &'a str,
    subset: &'a str,
    texts: Option<u64>,
}

#[derive(serde::Serialize)]
struct SortedRange {
    seconds: f64,
    shard: usize,
}

/// A value whose objects are written with their keys sorted.
struct Sorted<'a>(&'a Value);

impl<'a> SortedPlan<'a> {
    fn of(plan: &'a ShardPlan) -> Self {
        let ShardPlan { schema, mteb_host, arguments, places, model, plugins, cost, smallest_piece, .. } =
            plan;
        Self {
            arguments,
            cost: SortedCost { from: &cost.from, tokens_per_second: cost.tokens_per_second },
            model: Sorted(model),
            mteb_host,
            places,
            plugins,
            schema: *schema,
            shards: plan
                .shards
                .iter()
                .map(|PlannedShard { units, seconds }| SortedShard { seconds: *seconds, units: *units })
                .collect(),
            smallest_piece,
            tasks: plan.tasks.iter().map(SortedTask::of).collect(),
        }
    }
}

impl<'a> SortedTask<'a> {
    fn of(PlannedTask { task, revision, options, units }: &'a PlannedTask) -> Self {
        let (options, units) =
            (options.iter().map(Sorted).collect(), units.iter().map(SortedUnit::of).collect());
        Self { options, revision, task, units }
    }
}

impl<'a> SortedUnit<'a> {
    fn of(unit: &'a PlannedUnit) -> Self {
        let PlannedUnit {
            split,
            subset,
            shard,
            ranges,
            options,
            data,
            first_stage,
            texts,
            characters,
            counted,
            seconds,
        } = unit;
        let range =
            |PlannedRange { shard, seconds }: &PlannedRange| SortedRange { seconds: *seconds, shard: *shard };
        Self {
            characters: *characters,
            counted: *counted,
            data: Sorted(data),
            first_stage: first_stage.as_deref(),
            options: *options,
            ranges: ranges.iter().map(range).collect(),
            seconds: *seconds,
            shard: *shard,
            split,
            subset,
            texts: *texts,
        }
    }
}

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(entries) => {
                let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, &Sorted(value))?;
                }
                map.end()
            }
            Value::Array(values) => serializer.collect_seq(values.iter().map(Sorted)),
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn written(value: &Value) -> String {
        serde_json::to_string(&Sorted(value)).unwrap()
    }

    #[test]
    fn the_order_of_keys_changes_nothing_and_that_of_lists_does() {
        let one = json!({"a": [1, {"c": 2, "b": 3}], "d": null});
        let same: Value = serde_json::from_str("{ \"d\" : null, \"a\": [1, {\"b\": 3, \"c\": 2}]}").unwrap();
        let other = json!({"a": [{"c": 2, "b": 3}, 1], "d": null});
        assert_eq!(written(&one), r#"{"a":[1,{"b":3,"c":2}],"d":null}"#);
        assert_eq!(written(&one), written(&same));
        assert_ne!(written(&one), written(&other));
    }

    /// As plans were hashed before, over a value of JSON.
    fn sorted(value: Value) -> Value {
        match value {
            Value::Object(entries) => {
                let mut entries: Vec<_> =
                    entries.into_iter().map(|(key, value)| (key, sorted(value))).collect();
                entries.sort_by(|(left, _), (right, _)| left.cmp(right));
                Value::Object(entries.into_iter().collect::<Map<_, _>>())
            }
            Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
            other => other,
        }
    }

    #[test]
    fn every_field_of_a_plan_counts_in_the_order_of_its_name() {
        let unit = json!({
            "split": "test", "subset": "b", "shard": 1, "options": 0, "data": {"z": "1", "a": [{"y": 1.5, "b": null}]},
            "texts": 3, "characters": null, "counted": "reference", "seconds": 0.25
        });
        let mut cut = unit.clone();
        cut["first_stage"] = json!("ab");
        cut["ranges"] = json!([{"shard": 0, "seconds": 1e-7}, {"shard": 1, "seconds": 2.0}]);
        let value = json!({
            "schema": 1, "mteb_host": "0.1.0", "arguments": ["--task", "é\"\n"], "places": ["--offline"],
            "model": {"name": "m", "a": {"d": 1, "c": -2}}, "plugins": {"q": "2", "p": "1"},
            "cost": {"tokens_per_second": 2e6, "from": "a guess"}, "smallest_piece": "range",
            "shards": [{"units": 1, "seconds": 1.0}, {"units": 2, "seconds": 2.5}],
            "tasks": [{"task": "A", "revision": "1", "options": [{"y": 1, "x": 2}], "units": [unit, cut]}]
        });
        let plan: ShardPlan = serde_json::from_value(value).unwrap();
        let expected = sorted(serde_json::to_value(&plan).unwrap()).to_string();
        assert_eq!(serde_json::to_string(&SortedPlan::of(&plan)).unwrap(), expected);
        assert_eq!(plan.hash(), mteb_files::sha256(expected.as_bytes()).unwrap());
    }
}
