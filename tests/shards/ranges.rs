//! A corpus that several shards search: each a range of its documents, and the lists that they find are joined exactly.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::fixture::{Tasks, assert_same, files};

/// Three ranges and a little more.
const DOCUMENTS: usize = 151_000;

/// The shards that search the corpus of the large unit, by the ranges in their order.
fn shards_of_ranges(tasks: &Tasks, plan: &str) -> Vec<usize> {
    let plan = tasks.json(plan);
    let all = plan["tasks"].as_array().unwrap();
    let task = all.iter().find(|task| task["task"] == "Large").unwrap();
    let ranges = task["units"][0]["ranges"].as_array().cloned().unwrap_or_default();
    ranges.iter().map(|range| range["shard"].as_u64().unwrap() as usize).collect()
}

/// Gives the ranges of the large corpus to the shards of a plan in turn.
fn deal_out_ranges(tasks: &Tasks, plan: &str) {
    let mut changed = tasks.json(plan);
    let mut counts = vec![0; changed["shards"].as_array().unwrap().len()];
    let units = changed["tasks"].as_array_mut().unwrap().iter_mut();
    for unit in units.flat_map(|task| task["units"].as_array_mut().unwrap().iter_mut()) {
        let Some(ranges) = unit.get_mut("ranges").and_then(|ranges| ranges.as_array_mut()) else {
            counts[unit["shard"].as_u64().unwrap() as usize] += 1;
            continue;
        };
        for (number, range) in ranges.iter_mut().enumerate() {
            range["shard"] = json!(number % counts.len());
        }
        let searching = ranges.len().min(counts.len());
        unit["shard"] = json!(0);
        counts[..searching].iter_mut().for_each(|count| *count += 1);
    }
    for (shard, count) in changed["shards"].as_array_mut().unwrap().iter_mut().zip(counts) {
        shard["units"] = json!(count);
    }
    fs::write(tasks.folder().join(plan), changed.to_string()).unwrap();
}

fn found_by(tasks: &Tasks, plan: &str, shard: usize) -> PathBuf {
    let shards = tasks.folder().join(format!("{plan}-shards"));
    shards.join(shard.to_string()).join("mteb-host__hashing/1/ranges/Large/test/ind.found")
}

#[test]
fn a_corpus_that_is_cut_into_ranges_merges_to_the_bytes_of_one_run() {
    let tasks = Tasks::with_corpus(DOCUMENTS);
    let single = tasks.single("hashing", "results");
    for (count, cut) in [(1, 0), (3, 4), (8, 4)] {
        let plan = format!("plan{count}.json");
        tasks.plan("hashing", count, &plan);
        let ranges = shards_of_ranges(&tasks, &plan);
        assert_eq!(ranges.len(), cut, "ranges are cut by documents alone: {ranges:?}");
        if cut > 0 {
            let searching: BTreeSet<usize> = ranges.iter().copied().collect();
            assert!(searching.len() > 1, "{ranges:?}");
            // So that as many search as can.
            deal_out_ranges(&tasks, &plan);
        }
        for shard in (0..count).rev() {
            assert_eq!(tasks.shard(&plan, shard).code, Some(0));
        }
        let merged = format!("merged{count}");
        let said = tasks.done(&["merge", &plan, "--output-folder", &merged]).stderr;
        assert!(said.contains(&format!("5 of 5 units of {count} shard")), "{said}");
        assert_same(&single, &files(&tasks.folder().join(&merged)));
        // To merge again, and to run a shard again, changes nothing.
        let result = tasks.folder().join(&merged).join("mteb-host__hashing/1/Large.json");
        let before = fs::read(&result).unwrap();
        assert_eq!(tasks.shard(&plan, 0).code, Some(0));
        tasks.done(&["merge", &plan, "--output-folder", &merged]);
        assert_eq!(fs::read(&result).unwrap(), before);
    }
    let footprint = &tasks.json("merged8/mteb-host__hashing/1/Large.json")["mteb_host"]["footprint"];
    assert_eq!(footprint["units"], 2, "the unit that many have searched is counted once: {footprint}");
}

#[test]
fn ranges_that_are_missing_damaged_or_of_other_data_are_named_by_shard() {
    let tasks = Tasks::with_corpus(DOCUMENTS);
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 6, "plan.json");
    deal_out_ranges(&tasks, "plan.json");
    let ranges = shards_of_ranges(&tasks, "plan.json");
    let (first, late) = (ranges[0], ranges[ranges.len() - 1]);
    assert_ne!(first, late);
    for shard in (0..6).filter(|&shard| shard != late) {
        assert_eq!(tasks.shard("plan.json", shard).code, Some(0));
    }
    let merge = ["merge", "plan.json", "--output-folder", "merged"];
    let half = tasks.host(&merge);
    assert_eq!(half.code, Some(1));
    let command = format!("run: mteb-host run --plan plan.json --shard {late}");
    let line = half.stderr.lines().find(|line| line.contains(&command)).expect(&half.stderr);
    assert!(line.starts_with(&format!("error: shard {late} has not begun: ")), "{line}");
    assert!(half.stderr.contains("Large, split test, subset ind: its part of the unit is not done yet"));
    assert_eq!(tasks.shard("plan.json", late).code, Some(0));

    // What a fault of a disk has changed is found, and searched again.
    let path = found_by(&tasks, "plan", first);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, damaged).unwrap();
    let named = tasks.host(&merge);
    assert_eq!(named.code, Some(1));
    assert!(named.stderr.contains("found a damaged file"), "{}", named.stderr);
    assert_eq!(tasks.shard("plan.json", first).code, Some(0));
    tasks.done(&["merge", "plan.json", "--output-folder", "whole"]);
    assert_same(&single, &files(&tasks.folder().join("whole")));

    // What was found in other documents is no part of the plan.
    let corpus = tasks.folder().join("data/Large/ind-corpus/corpus.jsonl");
    let text = fs::read_to_string(&corpus).unwrap();
    fs::write(&corpus, text.replacen("padi", "jagung", 1)).unwrap();
    let refused = tasks.shard("plan.json", first);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("other than planned: task Large, subset ind, data: "),
        "{}",
        refused.stderr
    );
    let merged = tasks.host(&["merge", "plan.json", "--output-folder", "other"]);
    assert_eq!(merged.code, Some(1));
    assert!(
        merged.stderr.contains("cannot be scored here: expected the data of the plan"),
        "{}",
        merged.stderr
    );
}

#[test]
fn a_shard_says_that_it_has_searched_and_scores_nothing() {
    let tasks = Tasks::with_corpus(DOCUMENTS);
    tasks.plan("hashing", 6, "plan.json");
    let shard = shards_of_ranges(&tasks, "plan.json")[0].to_string();
    let run = tasks.done(&["run", "--json", "--plan", "plan.json", "--shard", &shard]);
    let report = run.json().unwrap();
    let all: Vec<_> = report["tasks"].as_array().unwrap().iter().collect();
    let large = all.iter().find(|task| task["task"] == "Large").unwrap();
    let unit = large["units"].as_array().unwrap().iter().find(|unit| unit["subset"] == "ind").unwrap();
    assert_eq!((&unit["state"], &unit["main_score"]), (&json!("searched"), &json!(null)));
    let state = tasks.json(&format!("plan-shards/{shard}/shard.json"));
    assert_eq!(state["state"], "done", "{state}");
}

#[test]
fn whole_corpora_are_not_cut() {
    let tasks = Tasks::with_corpus(DOCUMENTS);
    let chosen = ["--registry", "mine.toml", "--model", "hashing", "--shards", "6"];
    tasks.done(&[&["plan", "--whole-corpora"][..], &chosen].concat());
    assert!(shards_of_ranges(&tasks, "plan.json").is_empty());
    // What rescores the best of a whole corpus searches it whole.
    let bits = ["--quantize", "ubinary", "--rescore-multiplier", "4"];
    tasks.done(&[&["plan"][..], &chosen, &bits].concat());
    assert!(shards_of_ranges(&tasks, "plan.json").is_empty());
}
