//! The reference's own loader reads our result files: its verdict on them is kept beside the script that asked it.

use std::collections::BTreeMap;
use std::fs;

use mteb_host_tests::{Run, host, root, shared};
use serde::Deserialize;
use serde_json::Value;

/// What the reference found in one of our files.
#[derive(Debug, Deserialize, PartialEq)]
struct Verdict {
    model: String,
    revision: String,
    task: String,
    dataset_revision: String,
    score: f64,
    languages: Vec<String>,
    entries: BTreeMap<String, Vec<String>>,
}

#[test]
fn files_hold_what_the_reference_read_from_them() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(root().join("tests/golden/reference_loader/verdict.jsonl")).unwrap();
    let verdicts: Vec<Verdict> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(verdicts.len(), 5);

    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    command.arg("run").args(["--model", "random", "--quiet"]).arg("--hub-dir").arg(shared.join("hub"));
    for verdict in &verdicts {
        // Of these the hub at hand holds two subsets.
        let subsets = match verdict.task.as_str() {
            "NusaX-senti" => ":ind,jav",
            "SemRel24STS" => ":eng,ind",
            _ => "",
        };
        command.args(["--task", &format!("{}{subsets}", verdict.task)]);
    }
    assert_eq!(Run::of(&mut command).unwrap().code, Some(0));

    for verdict in verdicts {
        let results = folder.path().join("results");
        let file = results.join(verdict.model.replace('/', "__")).join(&verdict.revision);
        let read = |name: &str| -> Value {
            let text = fs::read_to_string(file.join(name)).unwrap().replace(": NaN", ": null");
            serde_json::from_str(&text).unwrap()
        };
        let found = reread(&read(&format!("{}.json", verdict.task)), &read("model_meta.json"));
        // Both sides round to six decimals; a mean on the edge may fall to either side.
        assert!((found.score - verdict.score).abs() < 1.5e-6, "{}: {}", verdict.task, found.score);
        assert_eq!(Verdict { score: verdict.score, ..found }, verdict);
    }
}

/// What the result file says, in the words of the verdict.
fn reread(result: &Value, meta: &Value) -> Verdict {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut entries = BTreeMap::<String, Vec<String>>::new();
    let (mut languages, mut scores) = (Vec::new(), Vec::new());
    for (split, found) in result["scores"].as_object().unwrap() {
        for entry in found.as_array().unwrap() {
            entries.entry(split.clone()).or_default().push(text(&entry["hf_subset"]));
            scores.push(entry["main_score"].as_f64().unwrap());
            let codes = entry["languages"].as_array().unwrap().iter().map(text);
            languages.extend(codes.map(|code| code.split('-').next().unwrap().to_owned()));
        }
    }
    languages.sort_unstable();
    languages.dedup();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    Verdict {
        model: text(&meta["name"]),
        revision: text(&meta["revision"]),
        task: text(&result["task_name"]),
        dataset_revision: text(&result["dataset_revision"]),
        score: (mean * 1e6).round() / 1e6,
        languages,
        entries,
    }
}
