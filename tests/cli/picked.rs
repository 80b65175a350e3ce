//! Options that pick tasks by what their cards say, on every command that picks tasks; and what a slip is taken for.

use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn rows(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let run = run_host(folder, &[arguments, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.json().unwrap().as_array().unwrap().clone()
}

#[test]
fn tasks_are_picked_by_domain_licence_age_category_and_split() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let list = |more: &[&str]| rows(folder, &[&["list", "tasks"], more].concat());
    let legal = list(&["--domain", "legal", "--language", "deu"]);
    assert!(!legal.is_empty());
    for task in &legal {
        assert!(task["domains"].as_array().unwrap().contains(&"Legal".into()), "{task}");
    }
    let free = list(&["--licence", "cc0-1.0", "--task-type", "Clustering"]);
    assert!(!free.is_empty() && free.iter().all(|task| task["license"] == "cc0-1.0"));
    let young = list(&["--since", "2024-01-01", "--registry", "mteb"]);
    assert!(!young.is_empty() && young.iter().all(|task| task["date"][0].as_str().unwrap() >= "2024-01-01"));
    assert_eq!(list(&["--since", "2024", "--registry", "mteb"]), young);
    let pairs = list(&["--category", "t2t", "--task-type", "STS"]);
    assert!(!pairs.is_empty() && pairs.iter().all(|task| task["category"] == "t2t"));
    let split = list(&["--split", "dev", "--registry", "mteb", "--task-type", "Retrieval"]);
    assert!(!split.is_empty() && split.iter().all(|task| task["splits"] == serde_json::json!(["dev"])));
    for (arguments, part) in [
        (["--domain", "Legall"], "`--domain Legall` leaves none"),
        (["--licence", "cc-by-9.0"], "`--licence cc-by-9.0` leaves none"),
        (["--since", "2999-01-01"], "`--since 2999-01-01` leaves none"),
        (["--since", "yesterday"], "expected a year or a day such as `2024-01-31`"),
        (["--since", "2026-02-30"], "expected a day from 01 to 28 in 2026-02"),
        (["--since", "2026-13-01"], "expected a month from 01 to 12"),
    ] {
        let none = run_host(folder, &[&["list", "tasks"], &arguments[..]].concat());
        assert_eq!(none.code, Some(2));
        assert!(none.stderr.contains(part), "{}", none.stderr);
    }
}

#[test]
fn benchmarks_and_models_are_picked_by_what_they_have_and_nothing_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let all = rows(folder, &["list", "benchmarks"]).len();
    let sts = rows(folder, &["list", "benchmarks", "--task-type", "STS"]);
    assert!(!sts.is_empty() && sts.len() < all);
    assert!(sts.iter().all(|one| one["types"].as_array().unwrap().contains(&"STS".into())));
    let javanese = rows(folder, &["list", "models", "--language", "jav"]);
    assert!(!javanese.is_empty());
    for model in &javanese {
        assert!(
            model["languages"]
                .as_array()
                .unwrap()
                .iter()
                .any(|code| code.as_str().unwrap().starts_with("jav")),
            "{model}"
        );
    }
    for arguments in [
        ["models", "--task-type", "STS"],
        ["plugins", "--language", "ind"],
        ["registries", "--domain", "News"],
    ] {
        let refused = run_host(folder, &[&["list"], &arguments[..]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains("expected no task filters"), "{}", refused.stderr);
    }
}

#[test]
fn a_slip_is_taken_for_what_it_may_stand_for() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, meant) in [
        (&["rnu"][..], "'run'"),
        (&["leaderbord"], "'leaderboard'"),
        (&["show", "STSBenchmark"], "show task STSBenchmark"),
        (&["run", "--batch_size", "3"], "'--batch-tokens'"),
        (&["run", "--output_folder", "x"], "'--output-folder'"),
        (&["leaderboard", "--tasks", "x"], "'--task'"),
    ] {
        let run = run_host(folder.path(), arguments);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(meant), "{arguments:?}: {}", run.stderr);
    }
}
