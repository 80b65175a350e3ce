//! What is said of a task's data, and data that has changed.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::json;

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a b,3\n";

/// A registry `mine` with an STS task in `folder`.
fn write_registry(folder: &Path) {
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\n";
    fs::create_dir(folder.join("cards")).unwrap();
    fs::write(folder.join("cards/my-sts.toml"), card).unwrap();
    fs::write(folder.join("cards/pairs.csv"), PAIRS).unwrap();
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
}

fn run(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args)).unwrap()
}

#[test]
fn the_data_of_a_task_is_described_as_json_and_as_text() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path());
    let stats = run(folder.path(), &["stats", "MySTS", "--registry", "mine.toml", "--json"]);
    assert_eq!((stats.code, stats.stderr.as_str()), (Some(0), ""));
    let unit = &stats.json().unwrap()["units"][0];
    assert_eq!((&unit["split"], &unit["subset"]), (&json!("test"), &json!("default")));
    let rows = &unit["parts"]["rows"];
    assert_eq!((&rows["rows"], &rows["repeated_rows"]), (&json!(3), &json!(1)));
    assert_eq!(rows["texts"]["sentence2"]["repeated"], json!(1));
    assert_eq!(rows["scores"]["max"], json!(5.0));

    let text = run(folder.path(), &["stats", "MySTS", "--registry", "mine.toml"]).stdout;
    insta::assert_snapshot!(text, @r"
    MySTS, split test, subset default, S2S
      rows: 3 rows, 1 of them duplicate
        sentence1: 3 texts, 2 repeated; 9 characters, 3.0 per text: 3 to 3, quartiles 3 3 3, 95 % 3, 99 % 3
        sentence2: 3 texts, 1 repeated; 9 characters, 3.0 per text: 3 to 3, quartiles 3 3 3, 95 % 3, 99 % 3
        scores: 3 from 0 to 5, mean 2.667, 3 different
        languages of 6 texts: 6 unsure
    ");
}

#[test]
fn changed_data_is_refused_until_the_lock_is_updated() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path());
    let run = |more: &[&str]| {
        let args: Vec<&str> = ["run", "--registry", "mine.toml", "--overwrite", "always", "--quiet"]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        run(folder.path(), &args)
    };
    assert_eq!(run(&["--update-lock"]).code, Some(0));
    assert!(folder.path().join("mine.lock.toml").is_file());
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS.replace("5", "4")).unwrap();
    let refused = run(&[]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("pairs.csv: expected the SHA-256 "), "{}", refused.stderr);
    assert!(refused.stderr.contains(" of mine.lock.toml, found "), "{}", refused.stderr);
    assert_eq!(run(&["--update-lock"]).code, Some(0));
    assert_eq!(run(&[]).code, Some(0));
}

#[test]
fn the_lock_of_a_built_in_registry_is_left_out_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let hub = folder.path().join("datasets/mteb/stsbenchmark-sts/b0fddb56ed78048fa8b90373c8a3cfc37b684831");
    fs::create_dir_all(&hub).unwrap();
    fs::write(hub.join("test.csv"), PAIRS).unwrap();
    let args = ["stats", "STSBenchmark", "--registry", "mteb-eng-v1", "--hub-dir", ".", "--update-lock"];
    let refused = run(folder.path(), &args);
    assert_eq!(refused.code, Some(0), "{}", refused.stderr);
    insta::assert_snapshot!(refused.stderr, @"warning: `--update-lock` skips registries that come with mteb-host: registries/mteb-eng-v1.toml; to lock one, pass a copy of its file with `--registry FILE`");
}
