//! What `list tasks` says of the cards in the binary is what their files say, subset by subset.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, root};
use serde_json::{Value, json};
use toml::{Table, Value as Toml};

fn listed(more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", "tasks", "--registry", "mteb", "--json"]).args(more));
    let run = run.unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap().as_array().unwrap().clone()
}

/// The cards in a folder and below, by the name of the task.
fn cards(folder: &Path, found: &mut BTreeMap<String, Table>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cards(&path, found);
        } else {
            let card: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
            found.insert(card["name"].as_str().unwrap().to_owned(), card);
        }
    }
}

/// Those that the registry `mteb` takes: a card that was written by hand counts before the imported one of its name.
fn cards_of_files() -> BTreeMap<String, Table> {
    let mut found = BTreeMap::new();
    for folder in ["mteb", "cards"] {
        cards(&root().join("registries").join(folder), &mut found);
    }
    found
}

fn texts(value: Option<&Toml>) -> Vec<String> {
    let values = value.and_then(Toml::as_array).into_iter().flatten();
    values.map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// The subsets of a card with their languages, those of `pairs` one by one.
fn subsets(card: &Table) -> Vec<(String, Vec<String>)> {
    let whole = texts(card.get("languages"));
    let Some(written) = card.get("subsets").and_then(Toml::as_table) else {
        return vec![("default".to_owned(), whole)];
    };
    let mut subsets = Vec::new();
    for (name, subset) in written {
        let pairs = texts(subset.get("pairs"));
        for left in &pairs {
            for right in pairs.iter().filter(|right| *right != left) {
                let languages = [left, right].map(|name| name.replace('_', "-"));
                subsets.push((format!("{left}-{right}"), languages.to_vec()));
            }
        }
        if pairs.is_empty() {
            let own = texts(subset.get("languages"));
            subsets.push((name.clone(), if own.is_empty() { whole.clone() } else { own }));
        }
    }
    subsets
}

fn languages(subsets: &[(String, Vec<String>)]) -> BTreeSet<&str> {
    subsets.iter().flat_map(|(_, languages)| languages).map(String::as_str).collect()
}

fn names(subsets: &[(String, Vec<String>)]) -> Vec<&str> {
    subsets.iter().map(|(name, _)| name.as_str()).collect()
}

/// As serde writes it.
fn of_toml(value: Option<&Toml>) -> Value {
    value.map_or(Value::Null, |value| serde_json::to_value(value).unwrap())
}

#[test]
fn every_task_is_listed_as_its_card_says() {
    let cards = cards_of_files();
    let tasks = listed(&[]);
    assert!(tasks.len() >= 1_322, "{}", tasks.len());
    for task in &tasks {
        let name = task["name"].as_str().unwrap();
        let card = &cards[name];
        let dataset = card.get("dataset").and_then(Toml::as_table);
        let subsets = subsets(card);
        assert_eq!(task["type"], of_toml(card.get("type")), "{name}");
        assert_eq!(task["languages"], json!(languages(&subsets)), "{name}");
        assert!(task["subsets"] == json!(names(&subsets)), "{name}: its subsets");
        let splits = of_toml(card.get("eval_splits"));
        assert_eq!(task["splits"], if splits.is_null() { json!(["test"]) } else { splits }, "{name}");
        if let Some(score) = card.get("main_score") {
            assert_eq!(task["main_score"], of_toml(Some(score)), "{name}");
        }
        if let Some(hub) = dataset.and_then(|dataset| dataset.get("hub")) {
            assert_eq!(task["dataset"], of_toml(Some(hub)), "{name}");
            assert_eq!(task["source"], format!("hub {}", hub.as_str().unwrap()), "{name}");
        }
        if let Some(revision) = dataset.and_then(|dataset| dataset.get("revision")) {
            assert_eq!(task["revision"], of_toml(Some(revision)), "{name}");
        }
        assert_eq!(
            task["private"],
            of_toml(card.get("private").filter(|_| card["private"].as_bool().unwrap()))
        );
        assert_eq!(task["unsupported"], of_toml(card.get("unsupported")), "{name}");
    }
    let most = tasks.iter().map(|task| task["subsets"].as_array().unwrap().len()).max();
    assert_eq!(most, Some(204 * 203), "pairs of languages are among them");
}

#[test]
fn a_language_leaves_the_subsets_that_have_it() {
    let cards = cards_of_files();
    let tasks = listed(&["--language", "jav-Latn"]);
    let left: BTreeMap<&str, &Value> =
        tasks.iter().map(|task| (task["name"].as_str().unwrap(), task)).collect();
    let all = listed(&[]);
    for name in all.iter().map(|task| task["name"].as_str().unwrap()) {
        let mut subsets = subsets(&cards[name]);
        subsets.retain(|(_, languages)| languages.iter().any(|language| language == "jav-Latn"));
        let found = left.get(name).map(|task| (&task["subsets"], &task["languages"]));
        if subsets.is_empty() {
            assert_eq!(found, None, "{name}");
        } else {
            assert!(
                found == Some((&json!(names(&subsets)), &json!(languages(&subsets)))),
                "{name}: {found:?}"
            );
        }
    }
    assert_eq!(left["FloresBitextMining"]["subsets"].as_array().unwrap().len(), 2 * 203);
}
