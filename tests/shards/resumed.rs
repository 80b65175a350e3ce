//! Shards that are killed, missing or run twice.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::fixture::{Tasks, assert_same, files};

#[test]
fn a_killed_shard_goes_on_and_merges_to_the_bytes_of_one_run() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 2, "plan.json");
    assert_eq!(tasks.shard("plan.json", 1).code, Some(0));
    let mut child = tasks
        .command(&["run", "--quiet", "--plan", "plan.json", "--shard", "0"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Once a unit is on the disk the shard is killed, unless it is faster.
    let begin = Instant::now();
    let is_begun = || {
        let text = fs::read_to_string(tasks.folder().join("plan-shards/0/shard.json")).unwrap_or_default();
        let state: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        state["units_done"].as_u64().unwrap_or(0) > 0
    };
    while !is_begun() && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "no unit was scored");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let half = tasks.host(&["merge", "plan.json", "--output-folder", "half"]);
    let state = tasks.json("plan-shards/0/shard.json");
    if state["state"] == "running" {
        assert_eq!(half.code, Some(1));
        assert!(half.stderr.contains("error: shard 0 was killed: "), "{}", half.stderr);
    }
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    let state = tasks.json("plan-shards/0/shard.json");
    assert_eq!((&state["state"], &state["units_done"]), (&json!("done"), &state["units_total"]), "{state}");
    // What was merged before the shard had gone on stays in its place.
    for results in ["half", "merged"] {
        tasks.done(&["merge", "plan.json", "--output-folder", results]);
        assert_same(&single, &files(&tasks.folder().join(results)));
    }
}

#[test]
fn a_shard_whose_process_was_killed_on_this_machine_is_named_at_once() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 2, "plan.json");
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    // As its report was before its process ended.
    let report = tasks.folder().join("plan-shards/0/shard.json");
    let mut said = tasks.json("plan-shards/0/shard.json");
    (said["state"], said["finished"], said["units_done"]) = (json!("running"), json!(null), json!(0));
    fs::write(&report, said.to_string()).unwrap();
    let status = tasks.done(&["status", "plan.json", "--json"]).json().unwrap();
    assert_eq!((&status["shards"][0]["state"], &status["counts"]["killed"]), (&json!("killed"), &json!(1)));
    let status = tasks.done(&["status", "plan.json"]);
    assert!(status.stdout.contains("1 killed, 1 not begun of 2 shards"), "{}", status.stdout);
    for line in
        ["on this machine was killed before", "to resume it: mteb-host run --plan plan.json --shard 0"]
    {
        assert!(status.stderr.contains(line), "{}", status.stderr);
    }
    let merge = tasks.host(&["merge", "plan.json", "--output-folder", "merged"]);
    assert!(!merge.stderr.contains("shard 0 is running"), "{}", merge.stderr);
    // A process of another machine may go on.
    let process = said["process"].as_str().unwrap().split_once('-').unwrap().1.to_owned();
    said["process"] = json!(format!("fedcba9876543210-{process}"));
    fs::write(&report, said.to_string()).unwrap();
    let status = tasks.done(&["status", "plan.json", "--json"]).json().unwrap();
    assert_eq!(status["shards"][0]["state"], "running");
}

#[test]
fn a_missing_shard_is_named_with_the_command_that_runs_it() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 3, "plan.json");
    for shard in [0, 2] {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    let merge = tasks.host(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_eq!(merge.code, Some(1), "{}", merge.stderr);
    let line = merge.stderr.lines().find(|line| line.starts_with("error: shard 1 has not begun: ")).unwrap();
    assert!(line.ends_with("missing; run: mteb-host run --plan plan.json --shard 1"), "{line}");
}

#[test]
fn a_unit_that_failed_is_named_with_its_reason_and_scored_by_the_next_run() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    let file = tasks.folder().join("data/OtherPairs/ind/test.jsonl");
    tasks.plan("hashing", 1, "plan.json");
    let text = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(tasks.shard("plan.json", 0).code, Some(1));
    let state = tasks.json("plan-shards/0/shard.json");
    assert_eq!((&state["state"], &state["units_failed"]), (&json!("failed"), &json!(1)));
    assert_eq!(state["failures"][0]["task"], "OtherPairs");
    fs::write(&file, text).unwrap();
    let merge = tasks.host(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_eq!(merge.code, Some(1));
    assert!(merge.stderr.contains("error: shard 0 failed: 1 unit missing; run: "), "{}", merge.stderr);
    assert!(merge.stderr.contains("OtherPairs, split test, subset ind: "), "{}", merge.stderr);
    assert!(!tasks.folder().join("merged/mteb-host__hashing/1/Mean.json").exists());
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}

#[test]
fn a_shard_that_runs_twice_at_once_is_scored_once() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 1, "plan.json");
    let running: Vec<_> = (0..2)
        .map(|_| tasks.command(&["run", "--quiet", "--plan", "plan.json", "--shard", "0"]).spawn().unwrap())
        .collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let state = tasks.json("plan-shards/0/shard.json");
    assert_eq!(state["state"], "done", "{state}");
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}
