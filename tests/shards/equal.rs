//! Merged results are the bytes of one run, whatever the number of shards and their order.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fixture::{KEPT, Tasks, assert_same, files};

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
            assert!(said.stderr.contains(&format!("42 of 42 units of {count} shard")), "{}", said.stderr);
        }
    }
}

#[test]
fn units_that_are_dealt_out_one_by_one_merge_to_the_bytes_of_one_run() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 3, "plan.json");
    // No plan cuts so: neighbours whose texts are encoded together, and whose draws continue each other's, are of other shards.
    tasks.deal_out("plan.json");
    for shard in ["2", "0", "1"] {
        let cache = format!("cache{shard}");
        tasks.done(&["run", "--quiet", "--plan", "plan.json", "--shard", shard, "--cache-dir", &cache]);
    }
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}

#[test]
fn a_plan_keeps_together_what_is_encoded_together_and_cuts_the_rest_as_far_as_it_must() {
    let tasks = Tasks::new();
    let shards_of = |plan: &Value, name: &str| {
        let all = plan["tasks"].as_array().unwrap();
        let task = all.iter().find(|task| task["task"] == name).unwrap();
        let units = task["units"].as_array().unwrap().iter();
        units.map(|unit| unit["shard"].as_u64().unwrap()).collect::<BTreeSet<u64>>().len()
    };
    tasks.plan("hashing", 2, "few.json");
    let few = tasks.json("few.json");
    for name in ["Pairs", "Clusters", "OtherClusters", "Search"] {
        assert_eq!(shards_of(&few, name), 1, "{name}");
    }
    tasks.plan("hashing", 30, "many.json");
    let many = tasks.json("many.json");
    assert_eq!(shards_of(&many, "Clusters"), 3, "a subset is more than what is encoded together");
    assert_eq!(shards_of(&many, "OtherClusters"), 1);
    assert_eq!(shards_of(&many, "Search"), 2, "a subset of a task that searches is encoded by itself");
    assert_eq!(shards_of(&many, "Parallel"), 2, "16 subsets and 4");
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
fn what_is_merged_or_scored_in_two_goes_has_the_bytes_of_one() {
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 2, "plan.json");
    // The subsets of a task that searches are of two shards, and share a file of predictions.
    tasks.deal_out("plan.json");
    for shard in 0..2 {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    for first in 0..2 {
        let (folder, merged) = (format!("plan-shards/{first}"), format!("merged{first}"));
        let half = tasks.host(&["merge", "plan.json", &folder, "--output-folder", &merged]);
        assert_eq!(half.code, Some(1), "{}", half.stderr);
        tasks.done(&["merge", "plan.json", "--output-folder", &merged]);
        assert_same(&single, &files(&tasks.folder().join(&merged)));
    }
    let last = ["run", "--quiet", "--registry", "mine.toml", "--model", "hashing", "--task", "Search:jav"];
    tasks.done(&[&last[..], &["--output-folder", "two"], &KEPT].concat());
    assert_same(&single, &tasks.single("hashing", "two"));
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
fn a_shard_of_some_units_of_a_block_makes_the_batches_of_the_whole_run() {
    let tasks = Tasks::new();
    tasks.add_plugin("changing_model");
    let chosen =
        ["--registry", "mine.toml", "--task", "Parallel", "--model", "changing", "--plugin-dir", "plugins"];
    tasks.done(&[&["run", "--quiet", "--cache-dir", "cache"][..], &chosen].concat());
    let single = files(&tasks.folder().join("results"));
    let result = tasks.json("results/tests__changing/1/Parallel.json");
    let whole = result["mteb_host"]["footprint"]["texts_encoded"].as_u64().unwrap();
    tasks.done(&[&["plan", "--shards", "3"][..], &chosen].concat());
    tasks.deal_out("plan.json");
    for shard in ["2", "0", "1"] {
        let cache = format!("cache{shard}");
        let run =
            tasks.done(&["run", "--json", "--plan", "plan.json", "--shard", shard, "--cache-dir", &cache]);
        // Those of both blocks of the task, of each of which every shard has units.
        assert_eq!(run.json().unwrap()["tasks"][0]["texts"]["encoded"], whole, "{}", run.stdout);
    }
    tasks.done(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}

#[test]
fn caches_of_shards_come_together() {
    let tasks = Tasks::new();
    tasks.add_plugin("changing_model");
    let chosen =
        ["--registry", "mine.toml", "--task-type", "STS", "--model", "changing", "--plugin-dir", "plugins"];
    tasks.done(&[&["plan", "--shards", "2"][..], &chosen].concat());
    for shard in ["0", "1"] {
        let cache = format!("cache{shard}");
        tasks.done(&["run", "--quiet", "--plan", "plan.json", "--shard", shard, "--cache-dir", &cache]);
    }
    let merge = ["merge", "plan.json", "--output-folder", "merged", "--with-cache", "--cache-dir", "all"];
    let said = tasks.done(&merge).stderr;
    assert!(said.contains("Cached embeddings: ") && !said.contains(" 0 files new"), "{said}");
    assert!(tasks.done(&merge).stderr.contains("Cached embeddings: 0 files new"));
    // What all shards have encoded is encoded no more.
    let whole = ["run", "--json", "--cache-dir", "all", "--output-folder", "whole"];
    let report = tasks.done(&[&whole[..], &chosen[..]].concat()).json().unwrap();
    assert_eq!(report["texts"]["encoded"], 0, "{report}");
    assert_same(&files(&tasks.folder().join("whole")), &files(&tasks.folder().join("merged")));
}

#[test]
fn a_shard_counts_its_own_tasks_and_has_no_mean_of_a_benchmark() {
    let tasks = Tasks::new();
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n\
                    [[benchmark]]\nname = \"Most\"\ntasks = [\"Pairs\", \"OtherPairs\", \"Parallel\", \"Same\"]\n";
    std::fs::write(tasks.folder().join("mine.toml"), registry).unwrap();
    let single = tasks.done(&["run", "--registry", "mine.toml", "--model", "hashing"]);
    assert!(single.stdout.contains("4 of 12 tasks"), "{}", single.stdout);
    tasks.plan("hashing", 8, "plan.json");
    let shard = tasks.done(&["run", "--plan", "plan.json", "--shard", "7"]);
    assert!(shard.stdout.contains("Mean(Task)") && !shard.stdout.contains("Most"), "{}", shard.stdout);
}
