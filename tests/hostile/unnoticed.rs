//! What changes a score without a change in a file of data or an option of a card: no old score stands for it.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// Runs the task in `task.toml`; gives what was said and the main score that the result file says.
fn run(folder: &Path, task: &str, model: &str, output: &str) -> (String, f64) {
    let arguments = ["run", "--registry", "task.toml", "--model", model, "--output-folder", output];
    let run = Run::of(host(folder).args(arguments)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut folders = vec![folder.join(output)];
    while let Some(folder) = folders.pop() {
        let file = folder.join(format!("{task}.json"));
        if let Ok(text) = fs::read_to_string(file) {
            let result: Value = serde_json::from_str(&text.replace("NaN", "null")).unwrap();
            return (run.stderr, result["scores"]["test"][0]["main_score"].as_f64().unwrap());
        }
        let below = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(below.filter(|path| path.is_dir() && !path.ends_with("superseded")));
    }
    panic!("{}", run.stderr)
}

#[test]
fn bm25_scores_anew_in_another_language() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let card = |language: &str| {
        let card = "schema = 1\nname = \"Law\"\ntype = \"Retrieval\"\ndescription = \"d\"\n";
        let text = format!("{card}languages = [\"{language}\"]\n[dataset]\npath = \"data\"\n");
        fs::write(folder.path().join("task.toml"), text).unwrap();
    };
    // English stems find the second document, and other languages know no word of it.
    fs::write(
        data.join("corpus.jsonl"),
        "{\"_id\": \"1\", \"text\": \"the runner\"}\n{\"_id\": \"2\", \"text\": \"jumping\"}\n\
         {\"_id\": \"3\", \"text\": \"nothing of it\"}\n",
    )
    .unwrap();
    fs::write(data.join("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"the jumps\"}\n").unwrap();
    fs::write(data.join("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\t1\t1\nq\t2\t2\n").unwrap();
    card("eng-Latn");
    let (_, english) = run(folder.path(), "Law", "bm25", "results");
    card("ind-Latn");
    let (said, again) = run(folder.path(), "Law", "bm25", "results");
    assert!(said.contains("scored again: languages changed, by which words are stemmed: ind-Latn"), "{said}");
    let (_, anew) = run(folder.path(), "Law", "bm25", "other");
    assert_eq!(again, anew);
    assert_ne!(again, english, "the words of the two languages are others");
    card("jav-Latn");
    run(folder.path(), "Law", "bm25", "results");
    card("sun-Latn");
    let (said, _) = run(folder.path(), "Law", "bm25", "results");
    assert!(said.contains("languages of the card updated"), "both are cut into words alone: {said}");
}

#[test]
fn another_role_or_order_of_files_in_a_readme_is_scored_anew() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let card = "schema = 1\nname = \"Kinds\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"eng-Latn\"]\n\
                [dataset]\npath = \"data\"\n[protocol]\nsamples_per_label = 2\n";
    fs::write(folder.path().join("task.toml"), card).unwrap();
    for (file, from) in [("train", 0), ("test", 40), ("more", 80)] {
        let row = |row: u32| format!("word{} of {} and {},{}\n", row % 7, row % 5, row * row % 11, row % 3);
        let rows: String = (from..from + 30).map(row).collect();
        fs::write(data.join(format!("{file}.csv")), format!("text,label\n{rows}")).unwrap();
    }
    let readme = |train: &str, test: &str| {
        let configs = format!(
            "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: [{train}]\n  - split: test\n    path: [{test}]\n---\n"
        );
        fs::write(data.join("README.md"), configs).unwrap();
    };
    run(folder.path(), "Kinds", "hashing", "results");
    for (number, (train, test)) in [
        ("test.csv", "train.csv"),
        ("train.csv", "test.csv"),
        ("train.csv, more.csv", "test.csv"),
        ("more.csv, train.csv", "test.csv"),
        ("more.csv", "test.csv, train.csv"),
        ("more.csv, train.csv", "test.csv, train.csv"),
    ]
    .into_iter()
    .enumerate()
    {
        readme(train, test);
        let (said, again) = run(folder.path(), "Kinds", "hashing", "results");
        assert!(said.contains("`configs` of README.md"), "{train}; {test}: {said}");
        let (_, anew) = run(folder.path(), "Kinds", "hashing", &format!("other{number}"));
        assert_eq!(again, anew, "{train}; {test}");
        let text = fs::read_to_string(data.join("README.md")).unwrap();
        fs::write(data.join("README.md"), text + "A word.\n").unwrap();
        let (said, _) = run(folder.path(), "Kinds", "hashing", "results");
        assert!(!said.contains("will be scored again"), "its words say nothing of the data: {said}");
    }
    fs::remove_file(data.join("README.md")).unwrap();
    // Without the copies, of which one is of this very data.
    fs::remove_dir_all(folder.path().join("results/mteb-host__hashing/1/superseded")).unwrap();
    let (said, _) = run(folder.path(), "Kinds", "hashing", "results");
    assert!(said.contains("data no longer read: `configs` of README.md"), "{said}");
}
