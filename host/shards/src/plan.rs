//! The file of a plan: what is run, what it was planned for, and which shard scores which units.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cost::Cost;
use crate::error::PlanError;

/// Most bytes of the file of a plan.
const MOST_BYTES: u64 = 1 << 30;

/// A run, cut into shards that several machines score (`mteb-host plan` writes it, `mteb-host run --plan` and `mteb-host merge`
/// read it).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShardPlan {
    /// Schema of the plan: 1.
    pub schema: u32,
    /// Version of mteb-host that planned; a shard wants the same.
    pub mteb_host: String,
    /// Words of a command line that choose the tasks, the model and how it is scored. All shards run with them.
    pub arguments: Vec<String>,
    /// Words of a command line that say where things lie on the machine that planned. A shard takes them where it is told nothing else.
    pub places: Vec<String>,
    /// The model, as result files name it, without what belongs to a machine.
    pub model: Value,
    /// Plugins of the model and of the tasks, and the hash of each.
    pub plugins: BTreeMap<String, String>,
    /// By what the times were estimated.
    pub cost: Cost,
    /// Smallest piece that a shard is given: `unit`, one split of one subset of a task, or `range`, so many documents of a corpus or pairs of a reranker.
    pub smallest_piece: String,
    /// The shards, numbered from 0.
    pub shards: Vec<PlannedShard>,
    /// The tasks with data, in the order in which one machine scores them.
    pub tasks: Vec<PlannedTask>,
}

/// What a shard is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedShard {
    /// Number of its units, among them those of whose corpus it searches a part.
    pub units: usize,
    /// Estimated seconds.
    pub seconds: f64,
}

/// A task with data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedTask {
    /// Its name.
    pub task: String,
    /// Revision of its data.
    pub revision: String,
    /// What its card says of how units are made and scored, each form once.
    pub options: Vec<Value>,
    /// Its units in the order in which one machine scores them.
    pub units: Vec<PlannedUnit>,
}

/// The unit that is scored by one shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedUnit {
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// Number of the shard that scores it; of a unit whose corpus several shards search, of the one that has its first range.
    pub shard: usize,
    /// The ranges into which its corpus or its pairs are cut, in their order, where several shards share it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<PlannedRange>,
    /// Number of its options in the list of the task.
    pub options: usize,
    /// What its rows are read from, by content as far as it was at hand; null where it was not.
    pub data: Value,
    /// SHA-256 of the rankings that a reranker orders anew, where a first stage has made some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_stage: Option<String>,
    /// Number of its texts, if it is known.
    pub texts: Option<u64>,
    /// Characters of its texts, if they are known.
    pub characters: Option<u64>,
    /// Who counted them.
    pub counted: SizeSource,
    /// Estimated seconds.
    pub seconds: f64,
}

/// The range of a unit that one shard has: 50,000 documents of its corpus or 32,768 pairs of a reranker, of the last range all that follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedRange {
    /// Number of the shard that searches it.
    pub shard: usize,
    /// Estimated seconds.
    pub seconds: f64,
}

/// Where the size of a unit is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeSource {
    /// Its data was read.
    Data,
    /// Its part of the size that the reference counted of the task.
    Reference,
    /// An earlier result of the task by this model says how long it took.
    Result,
    /// Nobody counted: a guess.
    Guess,
}

/// JSON Schema of a plan.
pub fn schema() -> Value {
    schemars::schema_for!(ShardPlan).to_value()
}

impl PlannedUnit {
    /// The shards that have a part in it, ascending.
    pub fn shards(&self) -> Vec<usize> {
        let mut shards: Vec<usize> = self.ranges.iter().map(|range| range.shard).collect();
        if shards.is_empty() {
            shards.push(self.shard);
        }
        shards.sort_unstable();
        shards.dedup();
        shards
    }

    /// True if `shard` has a part in it.
    pub fn is_of(&self, shard: usize) -> bool {
        match self.ranges.as_slice() {
            [] => self.shard == shard,
            ranges => ranges.iter().any(|range| range.shard == shard),
        }
    }

    /// Estimated seconds of the part of `shard`.
    pub fn seconds_of(&self, shard: usize) -> f64 {
        match self.ranges.as_slice() {
            [] => self.seconds,
            ranges => ranges.iter().filter(|range| range.shard == shard).map(|range| range.seconds).sum(),
        }
    }
}

impl ShardPlan {
    /// Reads the plan at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let io = |error| PlanError::Io { path: path.to_owned(), error };
        let form = |found: String| PlanError::Form {
            path: path.to_owned(),
            expected: "a plan as `mteb-host plan` writes it",
            found,
        };
        let text = mteb_files::read_to_string(path, MOST_BYTES).map_err(io)?;
        // Most plans are sound, and every shard reads all of one: what is wrong is looked for only where something is.
        let plan = match serde_json::from_str::<Self>(&text) {
            Ok(plan) if plan.schema == 1 => plan,
            Ok(plan) => return Err(form(other_schema(plan.schema))),
            Err(error) => return Err(form(no_plan(&text, &error))),
        };
        match plan.fault() {
            Some(fault) => Err(form(fault)),
            None => Ok(plan),
        }
    }

    /// Writes the plan to `path`, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PlanError> {
        let io = |error| PlanError::Io { path: path.to_owned(), error };
        mteb_files::write(path, format!("{:#}\n", self.to_value()).as_bytes()).map_err(io)
    }

    /// All units, each with its task.
    pub fn units(&self) -> impl Iterator<Item = (&PlannedTask, &PlannedUnit)> {
        self.tasks.iter().flat_map(|task| task.units.iter().map(move |unit| (task, unit)))
    }

    /// The folder in which the shards of the plan at `path` have theirs.
    pub fn shards_folder(path: &Path) -> PathBuf {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{}-shards", name.strip_suffix(".json").unwrap_or(&name)))
    }

    fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// What of the plan contradicts itself.
    fn fault(&self) -> Option<String> {
        let mut counted = vec![0; self.shards.len()];
        for (task, unit) in self.units() {
            let name = || format!("{}, split {}, subset {}", task.task, unit.split, unit.subset);
            let shards = unit.shards();
            if let Some(beyond) = shards.iter().chain([&unit.shard]).find(|&&shard| shard >= counted.len()) {
                return Some(format!("{}: shard {beyond} of {}", name(), self.shards.len()));
            }
            if unit.options >= task.options.len() {
                return Some(format!("{}: options {} of {}", name(), unit.options, task.options.len()));
            }
            shards.into_iter().for_each(|shard| counted[shard] += 1);
        }
        let mut shards = self.shards.iter().zip(counted).enumerate();
        let (shard, (said, counted)) = shards.find(|(_, (said, counted))| said.units != *counted)?;
        Some(format!("{} units for shard {shard}, of which {counted} are named", said.units))
    }
}

/// Why `text` is no plan, by the `error` of reading it as one.
fn no_plan(text: &str, error: &serde_json::Error) -> String {
    match serde_json::from_str::<Value>(text).map(|value| value.get("schema").cloned()) {
        Ok(None) => "no `schema`".to_owned(),
        Ok(Some(schema)) if schema.as_u64() != Some(1) => other_schema(schema),
        _ => error.to_string(),
    }
}

fn other_schema(schema: impl Display) -> String {
    format!("schema {schema}; plan again with this version")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan() -> Value {
        json!({
            "schema": 1, "mteb_host": "0.1.0", "arguments": ["--task", "A"], "places": [], "model": {"name": "m"},
            "plugins": {}, "cost": {"tokens_per_second": 1.0, "from": "a guess"}, "smallest_piece": "unit",
            "shards": [{"units": 1, "seconds": 1.0}],
            "tasks": [{"task": "A", "revision": "1", "options": [{}], "units": [{
                "split": "test", "subset": "default", "shard": 0, "options": 0, "data": null, "texts": 3,
                "characters": null, "counted": "guess", "seconds": 1.0
            }]}]
        })
    }

    fn read(value: &Value) -> Result<ShardPlan, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.json");
        std::fs::write(&path, value.to_string()).unwrap();
        ShardPlan::read(&path).map_err(|error| error.to_string().split_once("found ").unwrap().1.to_owned())
    }

    #[test]
    fn a_plan_outlasts_its_way_through_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.json");
        let found = read(&plan()).unwrap();
        found.write(&path).unwrap();
        let again = ShardPlan::read(&path).unwrap();
        assert_eq!(found, again);
        assert_eq!(found.hash(), again.hash());
        assert_eq!(ShardPlan::shards_folder(&path), folder.path().join("plan-shards"));
    }

    #[test]
    fn what_contradicts_itself_is_no_plan() {
        let mut other = plan();
        other["schema"] = 2.into();
        assert_eq!(read(&other).unwrap_err(), "schema 2; plan again with this version");
        let mut other = plan();
        other["tasks"][0]["units"][0]["shard"] = 1.into();
        assert_eq!(read(&other).unwrap_err(), "A, split test, subset default: shard 1 of 1");
        let mut other = plan();
        other["shards"][0]["units"] = 2.into();
        assert_eq!(read(&other).unwrap_err(), "2 units for shard 0, of which 1 are named");
        let mut other = plan();
        other["typo"] = 2.into();
        assert!(read(&other).unwrap_err().starts_with("unknown field `typo`"));
    }
}
