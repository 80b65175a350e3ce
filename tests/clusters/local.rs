//! `submit local --now` on this machine, to its end: the merged results are those of a single run.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times, write_pair_card, write_pairs};

use super::stub::HOSTILE;

/// Two tasks of four subsets, in a folder with a hostile name; a text that the model refuses, where `refused` names its subset.
fn write_tasks(folder: &Path, refused: Option<&str>) {
    for task in ["First", "Second"] {
        let place = folder.join(task);
        fs::create_dir_all(&place).unwrap();
        let subsets = ["ace", "ban", "ind", "jav"];
        write_pair_card(&place, task, &subsets).unwrap();
        for subset in subsets {
            let word = if task == "First" && refused == Some(subset) { "ERROR" } else { "kata" };
            let pairs =
                [(word.to_owned(), 1.0), (format!("{task} {subset}"), 2.0), ("d e f".to_owned(), 4.0)];
            write_pairs(&place, subset, pairs.map(|(text, score)| (text, "b c", score))).unwrap();
        }
    }
    faulty_plugin("faulty_model", &folder.join("plugins")).unwrap();
    trust(folder, &folder.join("plugins")).unwrap();
}

const SELECTION: [&str; 8] = [
    "--registry",
    "First/task.toml",
    "--registry",
    "Second/task.toml",
    "--model",
    "faulty",
    "--plugin-dir",
    "plugins",
];

fn run(folder: &Path, words: &[&str]) -> Run {
    Run::of(host(folder).args(words)).unwrap()
}

fn results(folder: &Path) -> Vec<String> {
    let result =
        |task: &str| fs::read_to_string(folder.join(format!("tests__faulty/1/{task}.json"))).unwrap();
    ["First", "Second"].map(|task| without_times(&result(task)).unwrap()).into()
}

#[test]
fn shards_on_this_machine_merge_to_the_bytes_of_a_single_run() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join(HOSTILE);
    write_tasks(&folder, None);
    let single = run(&folder, &[&["run", "--output-folder", "single"], &SELECTION[..]].concat());
    assert_eq!(single.code, Some(0), "{}", single.stderr);
    let plan = run(&folder, &[&["plan", "--shards", "3", "--output", "plan.json"], &SELECTION[..]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    let submitted = run(&folder, &["submit", "local", "plan.json", "--processes", "2", "--now"]);
    assert_eq!(submitted.code, Some(0), "{}{}", submitted.stdout, submitted.stderr);
    assert!(submitted.stdout.contains("shard 2: done\n"), "{}", submitted.stdout);
    assert_eq!(results(&folder.join("results")), results(&folder.join("single")));
    let status = run(&folder, &["status", "plan.json"]);
    assert!(status.stdout.ends_with("3 done of 3 shards; 8 of 8 units scored\n"), "{}", status.stdout);
}

#[test]
fn a_shard_that_fails_is_named_while_the_others_are_scored() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("failing");
    write_tasks(&folder, Some("ban"));
    let plan = run(&folder, &[&["plan", "--shards", "4", "--output", "plan.json"], &SELECTION[..]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    let submitted = run(&folder, &["submit", "local", "plan.json", "--processes", "2", "--now"]);
    assert_eq!(submitted.code, Some(1), "{}{}", submitted.stdout, submitted.stderr);
    let failed =
        submitted.stdout.lines().filter(|line| line.contains(": failed with exit code 1; its log is "));
    let failed: Vec<&str> = failed.collect();
    assert_eq!(failed.len(), 1, "{}", submitted.stdout);
    assert_eq!(submitted.stdout.matches(": done\n").count(), 3, "{}", submitted.stdout);
    let status = run(&folder, &["status", "plan.json"]);
    assert!(
        status.stdout.ends_with("3 done, 1 failed of 4 shards; 7 of 8 units scored\n"),
        "{}",
        status.stdout
    );
    assert!(status.stderr.contains("this text cannot be encoded"), "{}", status.stderr);
}
