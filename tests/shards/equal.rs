//! Merged results are the bytes of one run, whatever the number of shards and their order.

use super::fixture::{Tasks, assert_same, files};

#[test]
fn shards_of_any_number_in_any_order_merge_to_the_bytes_of_one_run() {
    for model in ["hashing", "random"] {
        let tasks = Tasks::new();
        let single = tasks.single(model, "results");
        assert!(single.keys().any(|name| name.ends_with("Mean.json")), "{:?}", single.keys());
        assert!(single.keys().any(|name| name.extension().is_some_and(|ending| ending == "parquet")));
        let counts: &[usize] = if model == "hashing" { &[1, 3, 8] } else { &[5] };
        for &count in counts {
            let plan = format!("plan{count}.json");
            tasks.plan(model, count, &plan);
            // The last goes first, and each keeps its embeddings to itself.
            for shard in (0..count).rev() {
                let (number, cache) = (shard.to_string(), format!("cache{count}-{shard}"));
                tasks.done(&["run", "--quiet", "--plan", &plan, "--shard", &number, "--cache-dir", &cache]);
            }
            let merged = format!("merged{count}");
            let said = tasks.done(&["merge", &plan, "--output-folder", &merged]);
            assert_same(&single, &files(&tasks.folder().join(&merged)));
            assert!(said.stderr.contains(&format!("49 units of {count} shard")), "{}", said.stderr);
        }
    }
}

#[test]
fn a_plan_cuts_tasks_whose_draws_go_on() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 12, "plan.json");
    let plan = tasks.json("plan.json");
    let shards_of = |name: &str| {
        let all = plan["tasks"].as_array().unwrap();
        let task = all.iter().find(|task| task["task"] == name).unwrap();
        let mut shards: Vec<u64> =
            task["units"].as_array().unwrap().iter().map(|unit| unit["shard"].as_u64().unwrap()).collect();
        shards.sort_unstable();
        shards.dedup();
        shards.len()
    };
    assert!(shards_of("Parallel") > 1);
    // One subset alone, whichever it is, draws as in a run of all.
    let single = tasks.single("hashing", "results");
    for shard in 0..12 {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}

#[test]
fn two_merges_at_once_and_a_second_one_change_nothing() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 2, "plan.json");
    for shard in 0..2 {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    let arguments = ["merge", "plan.json", "--output-folder", "merged"];
    let merging: Vec<_> = (0..2).map(|_| tasks.command(&arguments).spawn().unwrap()).collect();
    for mut child in merging {
        assert!(child.wait().unwrap().success());
    }
    let merged = tasks.folder().join("merged");
    assert_same(&single, &files(&merged));
    let result = merged.join("mteb-host__hashing/1/Clusters.json");
    let before = std::fs::read(&result).unwrap();
    tasks.done(&arguments);
    assert_eq!(std::fs::read(&result).unwrap(), before, "times and all");
    assert_same(&single, &files(&merged));
}

#[test]
fn footprints_are_summed_and_say_of_how_many_shards() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 8, "plan.json");
    for shard in 0..8 {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    let merged = tasks.json("merged/mteb-host__hashing/1/Parallel.json");
    let parts: Vec<_> = (0..8)
        .map(|shard| format!("plan-shards/{shard}/mteb-host__hashing/1/Parallel.json"))
        .filter(|name| tasks.folder().join(name).exists())
        .map(|name| tasks.json(&name))
        .collect();
    assert!(parts.len() > 1);
    let footprint = &merged["mteb_host"]["footprint"];
    assert_eq!(footprint["shards"], parts.len());
    assert_eq!(footprint["units"], 20);
    let sum: f64 = parts.iter().map(|part| part["evaluation_time"].as_f64().unwrap()).sum();
    assert!((merged["evaluation_time"].as_f64().unwrap() - sum).abs() < 1e-9);
}

#[test]
fn caches_of_shards_come_together() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 2, "plan.json");
    for shard in ["0", "1"] {
        tasks.done(&[
            "run",
            "--quiet",
            "--plan",
            "plan.json",
            "--shard",
            shard,
            "--cache-dir",
            &format!("cache{shard}"),
        ]);
    }
    let said = tasks.done(&[
        "merge",
        "plan.json",
        "--output-folder",
        "merged",
        "--with-cache",
        "--cache-dir",
        "all",
    ]);
    assert!(said.stderr.contains("Cached embeddings: "), "{}", said.stderr);
    // What all shards have encoded is encoded no more.
    let again = tasks.done(&[
        "run",
        "--json",
        "--registry",
        "mine.toml",
        "--cache-dir",
        "all",
        "--output-folder",
        "again",
    ]);
    let report = again.json().unwrap();
    let encoded: u64 =
        report["tasks"].as_array().unwrap().iter().filter_map(|task| task["texts_encoded"].as_u64()).sum();
    assert_eq!(encoded, 0, "{}", again.stdout);
}
