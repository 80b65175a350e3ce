//! Results of others beside those of this host: none gets lost, none contradicts itself unseen.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

const FILE: &str = "results/mteb__baseline-random-encoder/2/MySTS.json";

/// A card with three subsets, and its data.
fn three_subsets(folder: &Path) {
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"Pairs.\"\n[dataset]\npath = \"data\"\n[subsets]\n\
                ind = { languages = [\"ind-Latn\"] }\njav = { languages = [\"jav-Latn\"] }\nsun = { languages = [\"sun-Latn\"] }\n";
    fs::write(folder.join("my.toml"), card).unwrap();
    for subset in ["ind", "jav", "sun"] {
        let rows = (0..12).map(|row| {
            format!("{}\n", json!({"sentence1": format!("{subset} one {row}"), "sentence2": format!("{subset} two {}", row * 7), "score": row % 6}))
        });
        fs::create_dir_all(folder.join("data").join(subset)).unwrap();
        fs::write(folder.join("data").join(subset).join("test.jsonl"), rows.collect::<String>()).unwrap();
    }
}

fn score(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["run", "--registry", "my.toml", "--model", "random"]).args(more)).unwrap()
}

fn read(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join(FILE)).unwrap()).unwrap()
}

fn change(folder: &Path, change: impl FnOnce(&mut Value)) {
    let mut file = read(folder);
    change(&mut file);
    fs::write(folder.join(FILE), file.to_string()).unwrap();
}

/// Makes the file one that mteb 2.1.4 has written.
fn as_mteb_wrote_it(file: &mut Value) {
    let object = file.as_object_mut().unwrap();
    object.remove("mteb_host");
    object.remove("footprint");
    object["mteb_version"] = "2.1.4".into();
    object["dataset_revision"] = "abc".into();
    for entry in object["scores"]["test"].as_array_mut().unwrap() {
        entry["mteb_version"] = "2.1.4".into();
    }
}

/// Subsets of the file with the version of each.
fn versions(folder: &Path) -> Vec<(String, String)> {
    let file = read(folder);
    let entries = file["scores"]["test"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries.iter().map(|entry| (text(&entry["hf_subset"]), text(&entry["mteb_version"]))).collect()
}

fn of(pairs: [(&str, &str); 3]) -> Vec<(String, String)> {
    pairs.map(|(subset, version)| (subset.to_owned(), version.to_owned())).into()
}

#[test]
fn the_version_of_an_older_file_becomes_that_of_its_entries() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_subsets(folder);
    assert_eq!(score(folder, &[]).code, Some(0));
    // Before mteb wrote its version into each entry it stood for the whole file.
    change(folder, |file| {
        as_mteb_wrote_it(file);
        for entry in file["scores"]["test"].as_array_mut().unwrap() {
            entry.as_object_mut().unwrap().remove("mteb_version");
        }
    });
    let run = score(folder, &["--task", "MySTS:jav"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(versions(folder), of([("ind", "2.1.4"), ("jav", "2.26.24"), ("sun", "2.1.4")]));
}

#[test]
fn a_file_that_mteb_wrote_keeps_its_other_subsets_when_one_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_subsets(folder);
    assert_eq!(score(folder, &[]).code, Some(0));
    change(folder, as_mteb_wrote_it);
    let run = score(folder, &["--task", "MySTS:jav"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(versions(folder), of([("ind", "2.1.4"), ("jav", "2.26.24"), ("sun", "2.1.4")]));
    let file = read(folder);
    assert_eq!(file["mteb_host"]["units"]["test"]["ind"]["others"]["dataset_revision"], "abc");
    assert_eq!(file["mteb_host"]["units"]["test"]["jav"]["others"], Value::Null);
    // A board counts what others scored, and says so.
    let board = Run::of(host(folder).args(["leaderboard", "--registry", "my.toml", "--json"])).unwrap();
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(board.json().unwrap()[0]["mean_task"].is_number(), "{}", board.stdout);
    let shown = Run::of(host(folder).args(["leaderboard", "--registry", "my.toml"])).unwrap();
    let said = format!("{}{}", shown.stdout, shown.stderr);
    assert!(said.contains("abc"), "{said}");
    // The others follow when they are asked for, and the same run again finds all done.
    let whole = score(folder, &[]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert_eq!(versions(folder), of([("ind", "2.26.24"), ("jav", "2.26.24"), ("sun", "2.26.24")]));
    assert!(score(folder, &[]).stdout.contains("done before"));
}

#[test]
fn a_file_of_before_mteb_1_11_keeps_its_subsets_when_one_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_subsets(folder);
    assert_eq!(score(folder, &[]).code, Some(0));
    let old = json!({"mteb_version": "1.2.0", "mteb_dataset_name": "MySTS", "dataset_revision": "abc", "test": {
        "ind": {"cos_sim": {"spearman": 0.5}}, "sun": {"cos_sim": {"spearman": 0.7}}, "evaluation_time": 1.0}});
    fs::write(folder.join(FILE), old.to_string()).unwrap();
    let run = score(folder, &["--task", "MySTS:jav"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(versions(folder), of([("ind", "1.2.0"), ("jav", "2.26.24"), ("sun", "1.2.0")]));
    let file = read(folder);
    assert_eq!(
        (&file["scores"]["test"][0]["main_score"], &file["scores"]["test"][2]["main_score"]),
        (&json!(0.5), &json!(0.7))
    );
    let board = Run::of(host(folder).args(["leaderboard", "--registry", "my.toml", "--json"])).unwrap();
    assert!(board.json().unwrap()[0]["mean_task"].is_number(), "{}{}", board.stdout, board.stderr);
}

#[test]
fn a_run_over_a_whole_file_of_mteb_leaves_none_of_it_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_subsets(folder);
    assert_eq!(score(folder, &[]).code, Some(0));
    change(folder, as_mteb_wrote_it);
    assert_eq!(score(folder, &[]).code, Some(0));
    assert_eq!(versions(folder).len(), 3);
}

#[test]
fn what_can_no_longer_be_read_is_named_with_where_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_subsets(folder);
    assert_eq!(score(folder, &[]).code, Some(0));
    fs::write(folder.join(FILE), "{").unwrap();
    let refused = score(folder, &[]);
    assert!(refused.stderr.contains("--overwrite always"), "{}", refused.stderr);
    let anew = score(folder, &["--overwrite", "always"]);
    assert_eq!(anew.code, Some(0), "{}", anew.stderr);
    assert!(anew.stderr.contains("it is kept as results/"), "{}", anew.stderr);
}

#[test]
fn a_main_score_that_its_own_experiments_contradict_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |more: &[&str]| {
        Run::of(host(folder).args(more).args(["--registry", "indonesia", "--task", "JavaneseClassification"]))
            .unwrap()
    };
    assert_eq!(run(&["run", "--model", "random"]).code, Some(0));
    let path = folder.join("results/mteb__baseline-random-encoder/2/JavaneseClassification.json");
    let whole = fs::read_to_string(&path).unwrap().replace("NaN", "null");
    for is_of_others in [false, true] {
        let mut file: Value = serde_json::from_str(&whole).unwrap();
        let entry = &mut file["scores"]["test"][0];
        entry["main_score"] = 0.99.into();
        entry["accuracy"] = 0.99.into();
        if is_of_others {
            file.as_object_mut().unwrap().remove("mteb_host");
        }
        fs::write(&path, file.to_string()).unwrap();
        let board = run(&["leaderboard"]);
        let said = format!("{}{}", board.stdout, board.stderr);
        // Of its own results this host knows which measure is the main one.
        let which = if is_of_others {
            "a measure over `scores_per_experiment`"
        } else {
            "`accuracy` over `scores_per_experiment`, which is "
        };
        assert!(said.contains(&format!("the mean of {which}")) && said.contains("found: 0.99"), "{said}");
        assert!(!board.stdout.contains("99.00"), "{}", board.stdout);
    }
}

/// Three clustered subsets.
fn clusters(folder: &Path) {
    let card = "schema = 1\nname = \"Clu\"\ntype = \"Clustering\"\ndescription = \"Clusters.\"\n[dataset]\npath = \"data\"\n\
                [protocol]\nmax_documents = 20\n[subsets]\naaa = { languages = [\"eng-Latn\"] }\nbbb = { languages = [\"ind-Latn\"] }\n\
                ccc = { languages = [\"vie-Latn\"] }\n";
    fs::write(folder.join("my.toml"), card).unwrap();
    for subset in ["aaa", "bbb", "ccc"] {
        let rows = (0..40).map(|row| {
            format!(
                "{}\n",
                json!({"sentences": format!("{subset} text {row}"), "labels": format!("l{}", row % 4)})
            )
        });
        fs::create_dir_all(folder.join("data").join(subset)).unwrap();
        fs::write(folder.join("data").join(subset).join("test.jsonl"), rows.collect::<String>()).unwrap();
    }
}

#[test]
fn a_subset_whose_draws_continue_one_that_cannot_be_read_has_no_other_score() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    clusters(folder);
    let main_score = |run: &Run| run.json().unwrap()["tasks"][0]["main_score"].clone();
    let right = score(folder, &["--task", "Clu:ccc", "--json"]);
    assert_eq!(right.code, Some(0), "{}", right.stderr);
    fs::rename(folder.join("data/aaa"), folder.join("aaa")).unwrap();
    fs::remove_dir_all(folder.join("results")).unwrap();
    let without = score(folder, &["--task", "Clu:ccc", "--json"]);
    assert_eq!(without.code, Some(1), "{}", without.stderr);
    assert!(
        without.stderr.contains("its draws continue those of split test, subset aaa"),
        "{}",
        without.stderr
    );
    assert!(main_score(&without).is_null());
    let whole = score(folder, &["--json"]);
    assert_eq!(whole.code, Some(1));
    assert!(!folder.join("results/mteb__baseline-random-encoder/2/Clu.json").exists());
    let alone = score(folder, &["--task", "Clu:ccc", "--draws", "selected", "--json"]);
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    // With the data back, the score is that of before.
    fs::rename(folder.join("aaa"), folder.join("data/aaa")).unwrap();
    let again = score(folder, &["--task", "Clu:ccc", "--json"]);
    assert_eq!((again.code, main_score(&again)), (Some(0), main_score(&right)));
}

#[test]
fn a_run_over_a_registry_ends_with_the_means_of_its_benchmark() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |more: &[&str]| {
        let tasks = ["STS", "PairClassification"].map(|name| ["--task-type", name]).concat();
        Run::of(
            host(folder)
                .args(["run", "--registry", "small.toml", "--model", "random"])
                .args(tasks)
                .args(more),
        )
        .unwrap()
    };
    let registry = "schema = 1\nname = \"small\"\npacks = [\"indonesia\"]\n[[benchmark]]\nname = \"Small(core)\"\n\
                    title = \"Two\"\ntasks = [\"IndonesianGeneralSTS\", \"IndonesianDuplicateQuestions\"]\n";
    fs::write(folder.join("small.toml"), registry).unwrap();
    let shown = run(&[]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(
        shown.stdout.contains("Small(core)") && shown.stdout.contains("2 of 8 tasks"),
        "{}",
        shown.stdout
    );
    let answer = run(&["--json"]).json().unwrap();
    let of = |task: &str| {
        let tasks = answer["tasks"].as_array().unwrap();
        tasks.iter().find(|found| found["task"] == task).unwrap()["main_score"].as_f64().unwrap()
    };
    let mean = (of("IndonesianGeneralSTS") + of("IndonesianDuplicateQuestions")) / 2.0;
    assert!((answer["benchmark"]["mean_task"].as_f64().unwrap() - mean).abs() < 1e-12, "{answer}");
    let ends = &answer["benchmark"]["mean_task_interval"];
    let [low, high] = [0, 1].map(|end| ends[end].as_f64().unwrap_or_else(|| panic!("no interval: {answer}")));
    assert!((-0.5..mean).contains(&low) && mean < high && high <= 1.0, "{ends}");
    assert!(shown.stdout.contains("95 %: "), "{}", shown.stdout);
    let board = Run::of(host(folder).args([
        "leaderboard",
        "--registry",
        "small.toml",
        "--benchmark",
        "Small(core)",
        "--json",
    ]));
    let board = board.unwrap().json().unwrap();
    for end in 0..2 {
        let (of_run, of_board) =
            (ends[end].as_f64().unwrap(), board[0]["mean_task_interval"][end].as_f64().unwrap());
        assert!((of_run - of_board).abs() < 1e-5, "{of_run} {of_board}");
    }
    assert_eq!(
        (&answer["benchmark"]["name"], &answer["benchmark"]["tasks"]),
        (&json!("Small(core)"), &json!(2))
    );
}

#[test]
fn models_without_a_description_are_named_after_their_folders_and_said_in_one_line() {
    let root = tempfile::tempdir().unwrap();
    for (place, score) in
        [("org__one/abc", 0.5), ("org__one/def", 0.4), ("org__two/abc", 0.3), ("copies/org__three/ghi", 0.2)]
    {
        let folder = root.path().join("results").join(place);
        fs::create_dir_all(&folder).unwrap();
        let entry = json!({
            "main_score": score, "cosine_spearman": score, "hf_subset": "default", "languages": ["eng-Latn"]
        });
        let file = json!({
            "task_name": "STS12", "dataset_revision": "a0d554a64d88156834ff5ae9920b964011b16384",
            "mteb_version": "1.14.0", "scores": { "test": [entry] }, "evaluation_time": 1.0
        });
        fs::write(folder.join("STS12.json"), file.to_string()).unwrap();
    }
    let board = Run::of(host(root.path()).args(["leaderboard", "--json"])).unwrap();
    let rows = board.json().unwrap();
    let rows: Vec<(&str, &str)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["model"].as_str().unwrap(), row["revision"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [("org/one", "abc"), ("org/two", "abc"), ("org/three", "ghi")], "{}", board.stderr);
    let said = "org/one, org/three, org/two: expected `model_meta.json` next to the results, found none; ";
    let lines: Vec<&str> = board.stderr.lines().filter(|line| line.contains("model_meta.json")).collect();
    assert!(lines.len() == 1 && lines[0].contains(said), "{}", board.stderr);
    let reference = Run::of(host(root.path()).args(["leaderboard", "--like-reference"])).unwrap();
    let said =
        "warning: org/one, org/three, org/two: skipped, as by mteb, because there is no `model_meta.json`";
    assert!(reference.stderr.contains(said), "{}", reference.stderr);
    for place in ["org__one/abc", "org__one/def", "org__two/abc", "copies/org__three/ghi"] {
        let file = root.path().join("results").join(place).join("model_meta.json");
        fs::write(file, "{}").unwrap();
    }
    let named = Run::of(host(root.path()).arg("leaderboard")).unwrap();
    assert!(!named.stderr.contains("found none; name and revision"), "{}", named.stderr);
}
