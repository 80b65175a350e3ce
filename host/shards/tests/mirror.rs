//! The folder of a shard and its mirror, in a store that can end in the midst of its work.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mteb_shards::{Mirror, MirrorError, Object, Objects, Over, StoreError, fetch_all, fetch_states};
use serde_json::{Value, json};

/// A store in memory, which takes so many objects more.
#[derive(Default)]
struct Store {
    objects: RefCell<BTreeMap<String, Object>>,
    written: RefCell<Vec<String>>,
    left: Cell<Option<usize>>,
}

impl Objects for Store {
    fn list(&self, below: &str) -> Result<Vec<String>, StoreError> {
        let begin = format!("{below}/");
        let objects = self.objects.borrow();
        Ok(objects.keys().filter_map(|name| name.strip_prefix(&begin)).map(str::to_owned).collect())
    }

    fn read(&self, name: &str) -> Result<Option<Object>, StoreError> {
        Ok(self.objects.borrow().get(name).cloned())
    }

    fn write(&self, name: &str, bytes: &[u8], over: Over<'_>) -> Result<Option<String>, StoreError> {
        match self.left.get() {
            Some(0) => return Err("the store is gone".into()),
            left => self.left.set(left.map(|left| left - 1)),
        }
        let mut objects = self.objects.borrow_mut();
        let found = objects.get(name).map(|object| object.tag.as_str());
        if over != Over::Anything && over != found.map_or(Over::Nothing, Over::Tagged) {
            return Ok(None);
        }
        let mut written = self.written.borrow_mut();
        written.push(name.to_owned());
        let tag = written.len().to_string();
        objects.insert(name.to_owned(), Object { bytes: bytes.to_vec(), tag: tag.clone() });
        Ok(Some(tag))
    }
}

impl Store {
    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.objects.borrow()[name].bytes).unwrap()
    }
}

fn units(bytes: &[u8]) -> Option<BTreeSet<(String, String)>> {
    let file: Value = serde_json::from_slice(bytes).ok()?;
    let units = file["units"].as_array()?.iter();
    Some(units.map(|unit| (unit.as_str().unwrap().to_owned(), String::new())).collect())
}

const RESULT: &str = "model/1/Task.json";

fn write(folder: &Path, name: &str, value: &Value) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, value.to_string()).unwrap();
}

fn score(folder: &Path, units: &[&str]) {
    for unit in units {
        write(folder, &format!("model/1/rankings/Task/{unit}.trec.gz"), &json!(unit));
    }
    write(folder, RESULT, &json!({"units": units}));
}

fn report(folder: &Path, plan: &str, state: &str) {
    let report = json!({
        "schema": 1, "plan": plan, "shard": 0, "of": 1, "state": state, "units_total": 3, "units_done": 1, "units_failed": 0,
        "started": 1.0, "updated": 2.0, "finished": null, "machine": "node", "seconds_estimated": 1.0
    });
    write(folder, "shard.json", &report);
}

fn mirror<'a>(store: &'a Store, folder: &Path) -> Mirror<&'a Store> {
    Mirror::new(store, "0", folder, units)
}

#[test]
fn scores_follow_the_files_that_they_rest_on_and_the_report_comes_last() {
    let (store, folder) = (Store::default(), tempfile::tempdir().unwrap());
    report(folder.path(), "p", "running");
    score(folder.path(), &["a", "b"]);
    write(folder.path(), "model/1/model_meta.json", &json!({}));
    write(folder.path(), "model/1/.tmp-half", &json!("not whole yet"));
    let mut mirror = mirror(&store, folder.path());
    assert_eq!(mirror.send().unwrap(), 5);
    let written = store.written.borrow().clone();
    assert_eq!(written[3..], ["0/model/1/Task.json", "0/shard.json"]);
    assert!(written[..3].contains(&"0/model/1/model_meta.json".to_owned()), "{written:?}");
    // What has not changed is not sent again, nor what was written anew as it was.
    assert_eq!(mirror.send().unwrap(), 0);
    std::fs::remove_file(folder.path().join(RESULT)).unwrap();
    score(folder.path(), &["a", "b"]);
    assert_eq!(mirror.send().unwrap(), 0);
    score(folder.path(), &["a", "b", "c"]);
    mirror.send().unwrap();
    assert_eq!(store.json("0/model/1/Task.json"), json!({"units": ["a", "b", "c"]}));
}

#[test]
fn wherever_sending_is_killed_no_score_is_without_its_files_and_the_next_goes_on() {
    for killed_after in 0..6 {
        let (store, folder) = (Store::default(), tempfile::tempdir().unwrap());
        report(folder.path(), "p", "done");
        score(folder.path(), &["a", "b", "c"]);
        store.left.set(Some(killed_after));
        let sent = mirror(&store, folder.path()).send();
        assert_eq!(sent.is_err(), killed_after < 5, "{killed_after}");
        store.left.set(None);
        let there = store.objects.borrow().clone();
        if there.contains_key("0/model/1/Task.json") {
            assert!(
                ["a", "b", "c"]
                    .iter()
                    .all(|unit| there.contains_key(&format!("0/model/1/rankings/Task/{unit}.trec.gz")))
            );
        }
        assert!(!there.contains_key("0/shard.json") || there.len() == 5);
        // On another machine, which has nothing.
        let other = tempfile::tempdir().unwrap();
        let mut next = mirror(&store, other.path());
        assert_eq!(next.fetch_shard("p").unwrap(), there.len());
        assert_eq!(next.send().unwrap(), 0, "what was fetched is not sent back");
        report(other.path(), "p", "done");
        score(other.path(), &["a", "b", "c"]);
        next.send().unwrap();
        assert_eq!(store.objects.borrow().len(), 5);
    }
}

#[test]
fn of_two_at_once_the_slower_takes_nothing_away_from_the_faster() {
    let store = Store::default();
    let (fast, slow) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (mut first, mut second) = (mirror(&store, fast.path()), mirror(&store, slow.path()));
    score(slow.path(), &["a"]);
    report(slow.path(), "p", "running");
    second.send().unwrap();
    score(fast.path(), &["a", "b", "c"]);
    report(fast.path(), "p", "done");
    first.send().unwrap();
    for units in [&["a", "b"][..], &["a", "c"]] {
        score(slow.path(), units);
        report(slow.path(), "p", "running");
        second.send().unwrap();
        assert_eq!(store.json("0/model/1/Task.json"), json!({"units": ["a", "b", "c"]}));
        assert_eq!(store.json("0/shard.json")["state"], "done");
    }
}

#[test]
fn what_is_more_there_is_fetched_and_what_is_more_here_is_kept() {
    let store = Store::default();
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    score(one.path(), &["a", "b"]);
    mirror(&store, one.path()).send().unwrap();
    score(other.path(), &["a"]);
    mirror(&store, other.path()).fetch_shard("p").unwrap();
    let found = std::fs::read_to_string(other.path().join(RESULT)).unwrap();
    assert_eq!(found, r#"{"units":["a","b"]}"#);
    score(one.path(), &["a", "b", "c"]);
    let mut again = mirror(&store, one.path());
    again.fetch_shard("p").unwrap();
    assert!(std::fs::read_to_string(one.path().join(RESULT)).unwrap().contains('c'));
    again.send().unwrap();
    assert_eq!(store.json("0/model/1/Task.json")["units"].as_array().unwrap().len(), 3);
}

#[test]
fn what_another_plan_has_left_is_refused_and_names_that_lead_elsewhere_are_left_alone() {
    let (store, folder) = (Store::default(), tempfile::tempdir().unwrap());
    report(folder.path(), "other", "done");
    mirror(&store, folder.path()).send().unwrap();
    let here = tempfile::tempdir().unwrap();
    assert!(matches!(mirror(&store, here.path()).fetch_shard("p"), Err(MirrorError::OtherPlan)));
    for name in ["0/../evil", "0//etc/evil", "0/model/.hidden"] {
        store.write(name, b"x", Over::Anything).unwrap();
    }
    assert_eq!(mirror(&store, here.path()).fetch_shard("other").unwrap(), 1);
    fetch_all(&store, 1, here.path()).unwrap();
    assert!(here.path().join("0/shard.json").is_file());
    assert!(!here.path().join("evil").exists() && !here.path().join("0/model").exists());
    let states = tempfile::tempdir().unwrap();
    fetch_states(&store, 3, states.path()).unwrap();
    assert!(states.path().join("0/shard.json").is_file() && !states.path().join("1").exists());
}

#[test]
fn the_folder_of_a_model_is_mirrored_as_that_of_a_shard_is() {
    let (store, one, other) = (Store::default(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let merged = |folder: &Path, units: &[&str]| {
        write(folder, "Task.json", &json!({"units": units}));
        write(folder, "model_meta.json", &json!({}));
        units.iter().for_each(|unit| write(folder, &format!("rankings/Task/{unit}.trec.gz"), &json!(unit)));
    };
    merged(one.path(), &["a"]);
    assert_eq!(Mirror::new(&store, "model/1", one.path(), units).send().unwrap(), 3);
    assert_eq!(*store.written.borrow().last().unwrap(), "model/1/Task.json");
    // Another machine adds to what is there.
    let mut next = Mirror::new(&store, "model/1", other.path(), units);
    assert_eq!(next.fetch().unwrap(), 3);
    merged(other.path(), &["a", "b"]);
    next.send().unwrap();
    assert_eq!(store.json("model/1/Task.json"), json!({"units": ["a", "b"]}));
}
