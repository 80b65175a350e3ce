//! `results verify` finds what contradicts itself in results that somebody submits; `results export` writes what mteb's own loader reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, python};
use serde_json::Value;

const TASKS: [&str; 4] =
    ["IndonesianNewsTopic", "IndonesianGeneralSTS", "IndonesianLawRetrieval", "IndonesianDuplicateQuestions"];

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// A folder with results of `hashing`.
fn score_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tasks: Vec<&str> = TASKS.iter().flat_map(|task| ["--task", task]).collect();
    let run = run_host(
        folder.path(),
        &[&["run", "--quiet", "--outcomes", "--registry", "indonesia"], &tasks[..]].concat(),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder
}

fn result(folder: &Path, task: &str) -> PathBuf {
    folder.join("results/mteb-host__hashing/1").join(format!("{task}.json"))
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut file: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap().replace("NaN", "null")).unwrap();
    change(&mut file);
    fs::write(path, file.to_string()).unwrap();
}

fn verify(folder: &Path, more: &[&str]) -> Run {
    run_host(folder, &[&["results", "verify", "results", "--registry", "indonesia"], more].concat())
}

#[test]
fn results_as_they_were_scored_pass_every_check() {
    let folder = score_folder();
    let checked = verify(folder.path(), &["--data", "--rerun", "2", "--json"]);
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
    let report = checked.json().unwrap();
    assert_eq!(
        (report["is_sound"].as_bool(), report["found"].as_array().unwrap().len()),
        (Some(true), 0),
        "{report}"
    );
    let counts = &report["checked"];
    assert_eq!(
        (
            &counts["units"],
            &counts["with outcomes"],
            &counts["checked against data"],
            &counts["scored again"]
        ),
        (&4.into(), &4.into(), &4.into(), &2.into())
    );
}

#[test]
fn each_kind_of_contradiction_is_named() {
    let folder = score_folder();
    let folder = folder.path();
    let named = |task: &str, more: &[&str], expected: &str, change: &dyn Fn(&mut Value)| {
        let path = result(folder, task);
        let before = fs::read(&path).unwrap();
        edit(&path, change);
        let checked = verify(folder, more);
        assert_eq!(checked.code, Some(1), "{expected}: {}", checked.stdout);
        assert!(checked.stderr.contains(expected), "{expected}: {}", checked.stderr);
        fs::write(&path, before).unwrap();
    };
    // Not among its scores; among them, but not what the outcomes come to; out of bounds; another revision; another model.
    named("IndonesianGeneralSTS", &[], "expected `main_score` to be", &|file| {
        file["scores"]["test"][0]["main_score"] = 0.99.into()
    });
    named("IndonesianGeneralSTS", &[], "the score of its outcomes", &|file| {
        for key in ["main_score", "cosine_spearman"] {
            file["scores"]["test"][0][key] = 0.99.into();
        }
    });
    named("IndonesianLawRetrieval", &[], "expected a number from 0 to 1, found 1.5", &|file| {
        for key in ["main_score", "ndcg_at_10"] {
            file["scores"]["test"][0][key] = 1.5.into();
        }
    });
    named("IndonesianGeneralSTS", &[], "expected data of revision", &|file| {
        file["dataset_revision"] = "0".into()
    });
    named("IndonesianGeneralSTS", &[], "expected the name mteb-host/hashing", &|file| {
        file["mteb_host"]["model"]["name"] = "somebody/else".into();
    });
    named("IndonesianNewsTopic", &[], "scores_per_experiment", &|file| {
        file["scores"]["test"][0]["scores_per_experiment"].as_array_mut().unwrap().pop();
    });
}

#[test]
fn a_score_without_outcomes_that_was_edited_is_found_by_scoring_again() {
    let folder = score_folder();
    let folder = folder.path();
    fs::remove_dir_all(folder.join("results/mteb-host__hashing/1/outcomes")).unwrap();
    edit(&result(folder, "IndonesianGeneralSTS"), |file| {
        for key in ["main_score", "cosine_spearman"] {
            file["scores"]["test"][0][key] = 0.9.into();
        }
    });
    let believed = verify(folder, &[]);
    assert_eq!(believed.code, Some(0), "{}", believed.stderr);
    assert!(
        believed.stderr.contains("not checked: ") && believed.stderr.contains("no outcomes"),
        "{}",
        believed.stderr
    );
    let again = verify(folder, &["--rerun", "4", "--seed", "7", "--", "--model", "hashing"]);
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    assert!(again.stderr.contains("expected 0.900000 ± 0.0005 as submitted, found "), "{}", again.stderr);
}

#[test]
fn a_score_far_from_the_field_is_to_be_looked_at() {
    let folder = score_folder();
    let folder = folder.path();
    fs::rename(folder.join("results"), folder.join("own")).unwrap();
    // Other models, one a little better than the other.
    for (number, shift) in [-0.02, -0.01, 0.0, 0.01, 0.02].iter().enumerate() {
        let place = folder.join(format!("results/org__m{number}/1"));
        fs::create_dir_all(&place).unwrap();
        for task in TASKS {
            let mut file: Value = serde_json::from_str(
                &fs::read_to_string(folder.join("own/mteb-host__hashing/1").join(format!("{task}.json")))
                    .unwrap()
                    .replace("NaN", "null"),
            )
            .unwrap();
            file.as_object_mut().unwrap().remove("mteb_host");
            let entry = &mut file["scores"]["test"][0];
            let score = entry["main_score"].as_f64().unwrap() + shift;
            *entry = serde_json::json!({"hf_subset": "default", "languages": ["ind-Latn"], "main_score": score, "score": score});
            fs::write(place.join(format!("{task}.json")), file.to_string()).unwrap();
        }
    }
    let own = ["results", "verify", "own", "--registry", "indonesia", "--field", "results"];
    let near = run_host(folder, &own);
    assert_eq!(near.code, Some(0), "{}", near.stderr);
    assert!(!near.stderr.contains("to review"), "{}", near.stderr);
    fs::remove_dir_all(folder.join("own/mteb-host__hashing/1/outcomes")).unwrap();
    edit(&folder.join("own/mteb-host__hashing/1/IndonesianGeneralSTS.json"), |file| {
        for key in ["main_score", "cosine_spearman"] {
            file["scores"]["test"][0][key] = 0.93.into();
        }
    });
    let far = run_host(folder, &own);
    assert_eq!(far.code, Some(0), "{}", far.stderr);
    assert!(
        far.stderr
            .contains("IndonesianGeneralSTS: 93.00, where its other scores and those of 5 models predict"),
        "{}",
        far.stderr
    );
}

#[test]
fn what_is_exported_is_read_by_the_loader_of_the_reference() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A task of the reference's name, on data of one's own, is none of its results; a task that it does not have neither.
    let begun = run_host(folder, &["new", "task", "Mine", "--type", "STS", "--language", "eng-Latn"]);
    assert_eq!(begun.code, Some(0), "{}", begun.stderr);
    assert_eq!(run_host(folder, &["run", "--quiet", "--registry", "mine.toml"]).code, Some(0));
    let none = run_host(folder, &["results", "export", "--output", "clone"]);
    assert_eq!(none.code, Some(1), "{}", none.stdout);
    assert!(
        none.stderr.contains("Mine: left out: the repository has no task of this name"),
        "{}",
        none.stderr
    );
    let place = folder.join("results/mteb-host__hashing/1");
    let mut file: Value =
        serde_json::from_str(&fs::read_to_string(place.join("Mine.json")).unwrap().replace("NaN", "null"))
            .unwrap();
    file["task_name"] = "STS12".into();
    file["dataset_revision"] = "a0d554a64d88156834ff5ae9920b964011b16384".into();
    file.as_object_mut().unwrap().remove("mteb_host");
    fs::write(place.join("STS12.json"), file.to_string()).unwrap();
    let exported = run_host(folder, &["results", "export", "--output", "clone", "--task", "STS12"]);
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let code = "import json, pathlib, sys\nfrom mteb.results import TaskResult\nfrom mteb.models import ModelMeta\n\
                path = pathlib.Path(sys.argv[1])\nresult = TaskResult.from_disk(path / 'STS12.json', load_historic_data=False)\n\
                meta = json.loads((path / 'model_meta.json').read_text())\n\
                print(result.task_name, round(result.get_score(), 6), meta['name'])\n";
    let loaded = Run::of(
        Command::new(python).args(["-c", code]).arg(folder.join("clone/results/mteb-host__hashing/1")),
    )
    .unwrap();
    assert_eq!(loaded.code, Some(0), "{}", loaded.stderr);
    let score = file["scores"]["test"][0]["main_score"].as_f64().unwrap();
    assert_eq!(loaded.stdout.trim(), format!("STS12 {score} mteb-host/hashing"));
}

#[test]
fn of_a_folder_of_two_models_those_units_are_scored_again_that_the_model_has() {
    let folder = score_folder();
    let folder = folder.path();
    let tasks: Vec<&str> = TASKS.iter().flat_map(|task| ["--task", task]).collect();
    let random = [&["run", "--quiet", "--model", "random", "--registry", "indonesia"], &tasks[..]].concat();
    assert_eq!(run_host(folder, &random).code, Some(0));
    // What a killed process has left long ago goes with the next call, and what this one makes goes with it.
    let temporary = folder.join("temporary");
    let left = temporary.join("mteb-host-rerun-1");
    fs::create_dir_all(&left).unwrap();
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    fs::File::open(&left).unwrap().set_modified(long_ago).unwrap();
    let mut command = host(folder);
    command.env("TMPDIR", &temporary).args([
        "results",
        "verify",
        "results",
        "--registry",
        "indonesia",
        "--json",
    ]);
    let again = Run::of(command.args(["--rerun", "8", "--", "--model", "hashing"])).unwrap();
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    let report = again.json().unwrap();
    assert_eq!(report["checked"]["scored again"], TASKS.len());
    let unchecked = report["found"].to_string();
    assert!(
        unchecked.contains("no unit was scored again, because `run` scored mteb-host__hashing"),
        "{unchecked}"
    );
    assert!(!left.exists());
    let names: Vec<String> = fs::read_dir(&temporary)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("mteb-host-rerun"))
        .collect();
    assert_eq!(names, Vec::<String>::new());
}

#[test]
fn a_file_whose_units_are_gone_does_not_pass() {
    let folder = score_folder();
    let path = result(folder.path(), "IndonesianNewsTopic");
    let before = fs::read(&path).unwrap();
    edit(&path, |file| file["scores"] = serde_json::json!({}));
    let empty = verify(folder.path(), &[]);
    assert_eq!(empty.code, Some(1));
    assert!(
        empty.stderr.contains("expected scores of a split and subset under `scores`, found none"),
        "{}",
        empty.stderr
    );
    fs::write(&path, before).unwrap();
    edit(&path, |file| {
        let scores = file["scores"]["test"].take();
        file["scores"] = serde_json::json!({ "other": scores });
    });
    let other = verify(folder.path(), &[]);
    assert_eq!(other.code, Some(1));
    assert!(
        other.stderr.contains("expected scores of units of the card (test/default, …), found only others"),
        "{}",
        other.stderr
    );
}
