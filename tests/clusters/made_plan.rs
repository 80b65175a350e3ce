//! A plan that nobody has to compute, and what its shards say of themselves.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_shards::{ShardPlan, ShardState, State};
use serde_json::{Value, json};

/// Writes a plan of `shards` shards with two units each, of 100 estimated seconds a unit.
pub fn write_plan(folder: &Path, shards: usize) -> PathBuf {
    let unit = |number: usize| {
        json!({
            "split": "test", "subset": format!("s{number}"), "shard": number / 2, "options": 0, "data": null, "texts": 3,
            "characters": null, "counted": "guess", "seconds": 100.0
        })
    };
    let plan = json!({
        "schema": 1, "mteb_host": env!("CARGO_PKG_VERSION"), "arguments": ["--task", "A"], "places": [], "model": {"name": "m"},
        "plugins": {}, "cost": {"tokens_per_second": 1.0, "from": "a guess"}, "smallest_piece": "unit",
        "shards": (0..shards).map(|_| json!({"units": 2, "seconds": 200.0})).collect::<Value>(),
        "tasks": [{"task": "A", "revision": "1", "options": [{}], "units": (0..2 * shards).map(unit).collect::<Value>()}]
    });
    let path = folder.join("plan.json");
    fs::write(&path, plan.to_string()).unwrap();
    path
}

/// What a shard of `plan` says: its number, its state, its units that are done and that failed; when it began, and last spoke.
pub fn say(
    plan: &Path,
    shard: usize,
    state: State,
    (done, failed): (usize, usize),
    (started, updated): (f64, f64),
) {
    let folder = ShardPlan::shards_folder(plan).join(shard.to_string());
    fs::create_dir_all(&folder).unwrap();
    let read = ShardPlan::read(plan).unwrap();
    let said = ShardState {
        schema: 1,
        plan: read.hash(),
        shard,
        of: read.shards.len(),
        state,
        units_total: 2,
        units_done: done,
        units_failed: failed,
        started,
        updated,
        finished: (state != State::Running).then_some(updated),
        machine: format!("node{shard}"),
        seconds_estimated: 200.0,
        cache: String::new(),
        failures: Vec::new(),
    };
    said.write(&folder).unwrap();
}
