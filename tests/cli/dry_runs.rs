//! `run --dry-run` says what a run would do and does none of it.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

fn said(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn units_texts_and_time_are_said_and_nothing_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\ne f,a c,3\n";
    for name in ["One", "Two"] {
        fs::write(folder.join(format!("{name}.csv")), rows.replace("e f", &format!("e {name}"))).unwrap();
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"../{name}.csv\"\n"
        );
        fs::create_dir_all(folder.join("cards")).unwrap();
        fs::write(folder.join(format!("cards/{name}.toml")), card).unwrap();
    }
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
    let run = ["run", "--registry", "mine.toml"];
    let dry = said(folder, &[&run[..], &["--dry-run", "--json"]].concat());
    assert_eq!((dry.code, dry.stderr.as_str()), (Some(0), ""));
    let plan = dry.json().unwrap();
    // `a b`, `c d`, `e …` and `a c`.
    assert_eq!(
        (&plan["tasks"][0]["texts"], &plan["tasks"][0]["units"], &plan["tasks"][0]["scored"]),
        (&4.into(), &1.into(), &0.into())
    );
    assert_eq!((&plan["bytes_to_fetch"], &plan["seconds_to_encode"].is_null()), (&0.into(), &true));
    assert!(!folder.join("results").exists());
    assert_eq!(said(folder, &[&run[..], &["--task", "One", "--quiet"]].concat()).code, Some(0));
    let half = said(folder, &[&run[..], &["--dry-run", "--json"]].concat()).json().unwrap();
    let one = half["tasks"].as_array().unwrap().iter().find(|task| task["task"] == "One").unwrap().clone();
    assert_eq!((&one["scored"], &one["texts"]), (&1.into(), &0.into()), "{half}");
    assert!(
        half["texts_per_second"].as_f64().unwrap() > 0.0 && half["seconds_to_encode"].is_number(),
        "{half}"
    );
    let shown = said(folder, &[&run[..], &["--dry-run"]].concat());
    assert!(
        shown.stdout.contains("1 of 2 units would be scored, at most 4 texts encoded"),
        "{}",
        shown.stdout
    );
    let other = said(folder, &[&run[..], &["--dry-run", "--model", "random"]].concat());
    assert!(
        other.stdout.contains("2 of 2 units would be scored")
            && other.stdout.contains("time unknown: no result"),
        "{}",
        other.stdout
    );
}

#[test]
fn data_that_is_not_here_is_named_and_not_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let dry = said(folder.path(), &["run", "--task", "SciFact", "--offline", "--dry-run"]);
    assert_eq!(dry.code, Some(1), "{}", dry.stdout);
    assert!(dry.stderr.contains("SciFact, split test, subset default: "), "{}", dry.stderr);
    assert!(dry.stdout.contains("not downloaded"), "{}", dry.stdout);
}

#[test]
fn a_mistyped_model_is_told_before_anything_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    let run = said(folder.path(), &[&["run", "--dry-run", "--model", "hashng"], &task[..]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("found: hashng (near it: hashing"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}
