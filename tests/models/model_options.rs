//! `--model-option`: what a plugin declares of its models is checked before one starts, and is part of who the model is.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust};
use serde_json::Value;

fn plugins() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    faulty_plugin("option_model", &folder.path().join("plugins")).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    folder
}

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    Run::of(command.args(arguments).arg("--plugin-dir").arg(folder.join("plugins"))).unwrap()
}

fn score(folder: &Path, model: &str, more: &[&str]) -> Run {
    let run =
        ["run", "--quiet", "--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--model", model];
    run_host(folder, &[&run[..], more].concat())
}

/// The result in each folder of the model, by the folder's path.
fn results(folder: &Path) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.join("results")];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("IndonesianGeneralSTS.json") {
                let value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                found.push((path.parent().unwrap().to_string_lossy().into_owned(), value));
            }
        }
    }
    found.sort_by(|left, right| left.0.cmp(&right.0));
    found
}

#[test]
fn an_option_changes_the_model_and_its_results_are_kept_apart() {
    let folder = plugins();
    for options in [
        &[][..],
        &["--model-option", "weight=3"],
        &["--model-option", "weight=3", "--model-option", "case=true"],
    ] {
        let run = score(folder.path(), "options-letters", options);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let found = results(folder.path());
    assert_eq!(found.len(), 3, "{:?}", found.iter().map(|(path, _)| path).collect::<Vec<_>>());
    let mut options: Vec<String> =
        found.iter().map(|(_, file)| file["mteb_host"]["model"]["options"].to_string()).collect();
    options.sort();
    assert_eq!(options, ["null", "{\"case\":true,\"weight\":3.0}", "{\"weight\":3.0}"]);
    let scores: Vec<String> =
        found.iter().map(|(_, file)| file["scores"]["test"][0]["main_score"].to_string()).collect();
    assert!(scores[0] != scores[1] && scores[1] != scores[2] && scores[0] != scores[2], "{scores:?}");
    // The value that the model has by itself is no choice.
    let same =
        score(folder.path(), "options-letters", &["--model-option", "weight=1", "--overwrite", "never"]);
    assert_eq!(same.code, Some(0), "{}", same.stderr);
    assert_eq!(results(folder.path()).len(), 3);
}

#[test]
fn options_that_nobody_declares_are_refused_before_the_model_starts() {
    let folder = plugins();
    let refused = |model: &str, option: &str| {
        let run = score(folder.path(), model, &["--model-option", option]);
        assert_eq!(run.code, Some(2), "{option}: {}", run.stderr);
        run.stderr
    };
    let unknown = refused("options-letters", "wieght=2");
    assert!(
        unknown.contains("declares for the model options-letters, found another (near it: weight;"),
        "{unknown}"
    );
    assert!(refused("options-letters", "weight=-1").contains("expected a number from 0, found: -1"));
    assert!(refused("options-plain", "weight=2").contains("declares none for this model"));
    assert!(refused("hashing", "weight=2").contains("declares none for this model"));
    assert!(refused("bm25", "weight=2").contains("does not support `--model-option`"));
    assert!(refused("options-letters", "weight").contains("expected `NAME=VALUE`"));
    assert!(!folder.path().join("results").exists());
}

#[test]
fn the_options_of_a_model_are_shown_and_checked() {
    let folder = plugins();
    let shown = run_host(folder.path(), &["show", "model", "options-letters"]);
    let line = "# --model-option weight=…: The weight of a letter that every text has. (a number from 0) [default: 1.0]";
    assert!(shown.stdout.contains(line), "{}", shown.stdout);
    let json = run_host(folder.path(), &["show", "model", "options-letters", "--json"]).json().unwrap();
    assert_eq!(json["options"][1]["name"], "case");
    let plain = run_host(folder.path(), &["show", "model", "options-plain", "--json"]).json().unwrap();
    assert_eq!(plain["options"], Value::Null);
    let library = folder.path().join("plugins/liboption_model.so");
    let checked = Run::of(host(folder.path()).args(["plugins", "check"]).arg(library)).unwrap();
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn lines_of_plugins_are_shown_by_their_level() {
    let folder = plugins();
    let lines = |more: &[&str], environment: &str| {
        let mut command = host(folder.path());
        command.args([
            "run",
            "--no-cache",
            "--overwrite",
            "always",
            "--registry",
            "indonesia",
            "--task",
            "IndonesianGeneralSTS",
        ]);
        command.args(["--model", "options-letters", "--plugin-dir"]).arg(folder.path().join("plugins"));
        let run = Run::of(command.args(more).env("RUST_LOG", environment)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        ["WARN ", "counted letters", "DEBUG "].map(|begin| run.stderr.contains(&format!("printed: {begin}")))
    };
    assert_eq!(lines(&[], ""), [false; 3]);
    assert_eq!(lines(&["--verbose"], ""), [true; 3]);
    assert_eq!(lines(&["--log-level", "warn"], ""), [true, false, false]);
    assert_eq!(lines(&["--verbose", "--log-level", "info"], ""), [true, true, false]);
    assert_eq!(lines(&[], "error,plugin=info"), [true, true, false]);
    assert_eq!(lines(&["--log-level", "off"], "trace"), [false; 3]);
}
