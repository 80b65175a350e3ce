//! What the hub gets: folders of `export`, which `datasets` loads and which the reference scores as the host
//! does, and the dataset cards of the Indonesian pack.

use std::fs;
use std::process::Command;

use mteb_host_tests::{Run, host, python, root};
use serde_json::Value;

/// Pairs with scores, a search, and two sides of one table.
const TASKS: [&str; 3] = ["IndonesianSocialSTS", "IndonesianLawRetrieval", "IndonesianSundaneseBitext"];

/// The model that the reference has too.
const RANDOM: &str = "results/mteb__baseline-random-encoder/2";

fn list_names() -> Vec<&'static str> {
    TASKS.iter().flat_map(|task| ["--task", task]).collect()
}

#[test]
fn exported_tasks_have_the_same_keys_and_scores_through_the_reference() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let registry = ["--registry", "indonesia"];
    let export =
        Run::of(host(folder.path()).args(["export", "--to", "out"]).args(registry).args(list_names()))
            .unwrap();
    assert_eq!((export.code, export.stderr.as_str()), (Some(0), ""));
    let run = Run::of(
        host(folder.path()).args(["run", "--quiet", "--model", "random"]).args(registry).args(list_names()),
    );
    assert_eq!(run.unwrap().code, Some(0));
    let script = root().join("tests/cli/exported.py");
    let done = Command::new(python).arg(script).arg(folder.path().join("out")).args(TASKS).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8(done.stdout).unwrap();
    let reference: Value =
        serde_json::from_str(&said.lines().last().unwrap().replace("NaN", "null")).unwrap();
    for task in TASKS {
        let text = fs::read_to_string(folder.path().join(RANDOM).join(format!("{task}.json"))).unwrap();
        let own: Value = serde_json::from_str(&text.replace("NaN", "null")).unwrap();
        let [own, reference] =
            [&own["scores"]["test"][0], &reference[task]["test"][0]].map(|entry| entry.as_object().unwrap());
        let keys = |entry: &serde_json::Map<String, Value>| -> Vec<String> {
            let own = ["mteb_host"];
            let mut keys: Vec<String> =
                entry.keys().filter(|key| !own.contains(&key.as_str())).cloned().collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(own), keys(reference), "{task}");
        for (key, expected) in reference.iter().filter(|(_, value)| value.is_number()) {
            let difference = own[key].as_f64().unwrap() - expected.as_f64().unwrap();
            assert!(difference.abs() < 2e-6, "{task}, {key}: {} for {expected}", own[key]);
        }
    }
}

#[test]
fn nothing_is_exported_into_a_folder_with_files_or_without_a_filter() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let run = Run::of(host(folder.path()).arg("export").args(arguments)).unwrap();
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stderr
    };
    let all = "error: expected tasks to export, found no filter; name a registry (such as \
               `--registry indonesia`) or a task\n";
    assert_eq!(said(&["--to", "out"]), all);
    fs::write(folder.path().join("file"), "x").unwrap();
    let full = ".: expected an empty or new folder, found files in it; choose another one";
    assert!(said(&["--to", ".", "--registry", "indonesia"]).contains(full));
}

#[test]
fn a_folder_of_its_own_says_who_made_the_data_and_which_file_is_which() {
    let folder = tempfile::tempdir().unwrap();
    let task = "IndonesianLawRetrieval";
    let export = Run::of(host(folder.path()).args(["export", "--to", "out", "--task", task])).unwrap();
    assert_eq!(export.code, Some(0), "{}", export.stderr);
    let card = fs::read_to_string(folder.path().join(format!("out/{task}/README.md"))).unwrap();
    assert!(card.starts_with("---\ndataset_name: indonesiamteb/"), "{card}");
    assert!(card.contains("\nLM-written, LM-judged\n"), "{card}");
    for (config, file) in [("corpus", "corpus/test.jsonl"), ("default", "default/test.jsonl")] {
        let (_, entry) = card.split_once(&format!("- config_name: \"{config}\"\n  version: \"")).unwrap();
        let (version, files) = entry.split_once("\"\n").unwrap();
        assert_eq!(version.split('.').filter(|number| number.parse::<u16>().is_ok()).count(), 3, "{card}");
        let expected = format!("  data_files:\n  - split: \"test\"\n    path: \"{file}\"\n");
        assert!(files.starts_with(&expected), "{card}");
        assert!(folder.path().join(format!("out/{task}/{file}")).is_file());
    }
}

/// What each card has to say before its title.
const KEYS: [&str; 7] = [
    "dataset_name",
    "language",
    "license",
    "annotations_creators",
    "source_datasets",
    "task_categories",
    "size_categories",
];

#[test]
fn the_hubs_parser_reads_metadata_provenance_and_a_reference_from_every_dataset_card() {
    let Some(python) = python() else { return };
    let script = root().join("tests/cli/dataset_cards.py");
    let done = Command::new(python).arg(script).arg(root().join("indonesia/datasets")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let cards: Value = serde_json::from_slice(&done.stdout).unwrap();
    let cards = cards.as_object().unwrap();
    assert!(!cards.is_empty());
    for (file, card) in cards {
        for key in KEYS {
            assert!(
                card[key].as_str().is_some_and(|text| !text.is_empty()) || card[key][0].is_string(),
                "{file}: {key}"
            );
        }
        let name = file.split('.').next().unwrap();
        assert_eq!(card["title"], format!("# {name}"), "{file}");
        assert!(card["dataset_name"].as_str().unwrap().starts_with("indonesiamteb/"), "{file}");
        assert_eq!(card["annotations_creators"][0], "machine-generated", "{file}");
        let text = card["text"].as_str().unwrap();
        let first: Vec<&str> = text.lines().filter(|line| !line.is_empty()).take(3).collect();
        assert!(
            first[2].starts_with("**Provenance.**") || first[2].starts_with("**Asal-usul.**"),
            "{file}: {first:?}"
        );
        assert!(text.contains("```bibtex\n@misc{"), "{file}");
    }
}
