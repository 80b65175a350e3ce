//! A shard scores what the plan was made for, or nothing.

use std::fs;

use mteb_host_tests::Run;
use serde_json::json;

use super::fixture::Tasks;

/// The first shard of a plan of two; where it is refused it leaves no result.
fn refuse_shard(tasks: &Tasks, more: &[&str]) -> String {
    let run = tasks.host(&[&["run", "--quiet", "--plan", "plan.json", "--shard", "0"][..], more].concat());
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    assert!(!tasks.folder().join("plan-shards/0/mteb-host__hashing/1/Pairs.json").exists());
    run.stderr
}

fn plan_tasks() -> Tasks {
    let tasks = Tasks::new();
    tasks.plan("hashing", 1, "plan.json");
    tasks
}

#[test]
fn other_data_is_refused_with_both_hashes() {
    let tasks = plan_tasks();
    let file = tasks.folder().join("data/Pairs/ind/test.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("padi", "jagung", 1)).unwrap();
    let said = refuse_shard(&tasks, &[]);
    assert!(
        said.contains("other than planned: task Pairs, subset ind, data: ind/test.jsonl was SHA-256 "),
        "{said}"
    );
    assert!(said.contains(", is SHA-256 "), "{said}");
    let state = tasks.json("plan-shards/0/shard.json");
    assert_eq!((&state["state"], &state["units_done"]), (&json!("failed"), &json!(0)));
}

#[test]
fn other_options_of_a_card_are_refused_with_both_values() {
    let tasks = plan_tasks();
    let card = tasks.folder().join("cards/Clusters.toml");
    let text = fs::read_to_string(&card).unwrap();
    fs::write(&card, text.replace("per_cluster = 8", "per_cluster = 7")).unwrap();
    let said = refuse_shard(&tasks, &[]);
    assert!(said.contains("task Clusters, options: `max_documents_per_cluster` was 8, is 7"), "{said}");
}

#[test]
fn another_model_is_refused_with_both_values() {
    let tasks = plan_tasks();
    let plan = tasks.folder().join("plan.json");
    let text = fs::read_to_string(&plan).unwrap();
    let code = tasks.json("plan.json")["model"]["code"].as_str().unwrap().to_owned();
    fs::write(&plan, text.replace(&code, "sources:0000")).unwrap();
    let said = refuse_shard(&tasks, &[]);
    assert!(said.contains(&format!("model: plugin was `sources:0000`, is `{code}`")), "{said}");
}

#[test]
fn a_model_that_changed_is_refused_with_both_values() {
    let tasks = Tasks::new();
    tasks.add_plugin("changing_model");
    let chosen =
        ["--registry", "mine.toml", "--task", "Pairs", "--model", "changing", "--plugin-dir", "plugins"];
    tasks.done(&[&["plan", "--shards", "1"][..], &chosen].concat());
    for (part, value, fact) in
        [("WEIGHTS", "b", "weights"), ("PROMPT", "q: ", "prompts"), ("MAX_TOKENS", "256", "maximum length")]
    {
        let mut command = tasks.command(&["run", "--quiet", "--plan", "plan.json", "--shard", "0"]);
        let run = Run::of(command.env(format!("MTEB_PLUGIN_{part}"), value)).unwrap();
        assert_eq!(run.code, Some(2), "{part}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("other than planned: model: {fact} was ")), "{}", run.stderr);
        assert!(run.stderr.contains(value), "{}", run.stderr);
    }
}

#[test]
fn another_version_is_refused() {
    let tasks = plan_tasks();
    let plan = tasks.folder().join("plan.json");
    let version = tasks.json("plan.json")["mteb_host"].as_str().unwrap().to_owned();
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace(&format!("\"mteb_host\": \"{version}\""), "\"mteb_host\": \"0.0.1\""))
        .unwrap();
    let said = refuse_shard(&tasks, &[]);
    assert!(
        said.contains(&format!(
            "expected a plan of mteb-host {version}, which runs here, found one of 0.0.1"
        )),
        "{said}"
    );
}

#[test]
fn options_that_the_plan_decides_are_refused() {
    let tasks = plan_tasks();
    let said = refuse_shard(&tasks, &["--task", "Pairs"]);
    assert_eq!(
        said,
        "error: expected no `--task` with `--plan`, which the plan decides; plan again to change it\n"
    );
    assert_eq!(tasks.host(&["run", "--shard", "0"]).code, Some(2));
}

#[test]
fn a_shard_has_a_number() {
    let tasks = plan_tasks();
    let run = |name: &str, value: &str| {
        let mut command = tasks.command(&["run", "--plan", "plan.json", "--quiet"]);
        if !name.is_empty() {
            command.env(name, value);
        }
        Run::of(&mut command).unwrap()
    };
    let none = run("", "");
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("expected the number of a shard from 0 to 0, found none"),
        "{}",
        none.stderr
    );
    let beyond = run("SLURM_ARRAY_TASK_ID", "1");
    assert_eq!(beyond.code, Some(2));
    assert!(
        beyond.stderr.contains("SLURM_ARRAY_TASK_ID: expected the number of a shard from 0 to 0, found 1"),
        "{}",
        beyond.stderr
    );
    let first = run("JOB_COMPLETION_INDEX", "0");
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stderr.contains("Shard 0 of 1, by JOB_COMPLETION_INDEX"), "{}", first.stderr);
}

#[test]
fn the_folder_of_another_plan_is_left_alone() {
    let tasks = plan_tasks();
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    tasks.plan("hashing", 2, "plan.json");
    let said = tasks.shard("plan.json", 0);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("found that of shard 0 of another plan"), "{}", said.stderr);
    let merge = tasks.host(&["merge", "plan.json", "--output-folder", "merged"]);
    assert_eq!(merge.code, Some(2));
    assert!(merge.stderr.contains("found one of another plan"), "{}", merge.stderr);
}

#[test]
fn a_shard_whose_data_is_missing_reads_no_units_that_cannot_be_encoded_with_its_own() {
    let tasks = Tasks::new();
    tasks.plan("hashing", 30, "plan.json");
    let plan = tasks.json("plan.json");
    let all = plan["tasks"].as_array().unwrap();
    let parallel = all.iter().find(|task| task["task"] == "Parallel").unwrap();
    // It has twenty units; up to sixteen are encoded together.
    let shard = parallel["units"][0]["shard"].to_string();
    std::fs::remove_dir_all(tasks.folder().join("data/Parallel")).unwrap();
    let mut command = tasks.command(&["run", "--quiet", "--plan", "plan.json", "--shard", &shard]);
    let run = mteb_host_tests::Run::of(command.env("RUST_LOG", "mteb_engine=debug")).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let planned =
        run.stderr.lines().filter(|line| line.contains("plan took") && line.contains("task=Parallel"));
    assert_eq!(planned.count(), 16, "{}", run.stderr);
}
