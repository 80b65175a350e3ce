//! What tests of engines share: a plan that nobody has to compute, programs in the place of the
//! host, and hostile names of folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use mteb_shards::{ShardPlan, ShardState, State};
use serde_json::{Value, json};

/// One call of the stub.
#[derive(Debug, PartialEq)]
pub struct Call {
    pub folder: String,
    pub cache: String,
    pub threads: String,
    pub gpu: String,
    pub words: Vec<String>,
}

/// Writes an executable with this `text` to `path`.
pub fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Writes the stub to `path`; it ends with the exit code in the file `code` beside it, if one is there for its shard.
pub fn write_stub(path: &Path) -> PathBuf {
    let text = "#!/usr/bin/env bash\nbeside=$(dirname -- \"$0\")\nmkdir -p \"$beside/calls\"\n\
                printf '%s\\0' \"$PWD\" \"$MTEB_HOST_CACHE\" \"$RAYON_NUM_THREADS\" \"$CUDA_VISIBLE_DEVICES\" \"$@\" \
                >\"$(mktemp \"$beside/calls/XXXXXX\")\"\n\
                [ \"$1\" = run ] && [ -e \"$beside/fail-$5\" ] && exit 7\n\
                [ \"$1\" = merge ] && echo merged all\nexit 0\n";
    write_program(path, text);
    path.to_owned()
}

/// The calls of the stub at `path`, by their words.
pub fn calls(path: &Path) -> Vec<Call> {
    let call = |file: PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let mut words: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
        let more = words.split_off(4);
        let [folder, cache, threads, gpu] = <[String; 4]>::try_from(words).unwrap();
        Call { folder, cache, threads, gpu, words: more }
    };
    let found = fs::read_dir(path.parent().unwrap().join("calls")).into_iter().flatten();
    let mut calls: Vec<Call> = found.map(|entry| call(entry.unwrap().path())).collect();
    calls.sort_by(|left, right| left.words.cmp(&right.words));
    calls
}

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
        process: String::new(),
        seconds_estimated: 200.0,
        cache: String::new(),
        failures: Vec::new(),
    };
    said.write(&folder).unwrap();
}

/// A word with what each of them reads its own way.
pub const HOSTILE: &str = "it's \"$HOME\" `id` $(id) #1 %A %% {{name}} \\x ; & é";
