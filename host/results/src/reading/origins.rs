//! What a file of this host says of its scores: of which model they are, what they were made from,
//! and which of them others made.

use std::collections::{BTreeMap, HashMap};

use mteb_card::defaults::leave_out_defaults;
use mteb_card::{OTHERS, is_scored_by_others};
use mteb_json::Json;
use serde_json::Value;

use super::footprint::footprint;
use super::summary::{OfOthers, ScoreOrigin, Summary};
use crate::ResultFile;
use crate::facts::made_from;
use crate::identity::DataFacts;

/// Adds what a file of this host says of its scores.
pub fn add_origins(summary: &mut Summary, file: &ResultFile) {
    let host = &file.host;
    let model = host.get("model");
    summary.model = model.and_then(|model| text(model, "name"));
    summary.state = model.map(compact);
    summary.prompts = host.get("prompts").map(compact);
    summary.footprint = footprint(host);
    // Some tasks have tens of thousands of subsets.
    let mut scores: HashMap<(&str, &str), &Json> = HashMap::new();
    for split in &file.splits {
        for entry in &split.entries {
            scores.entry((split.split.as_str(), entry.subset.as_str())).or_insert(&entry.json);
        }
    }
    let facts: HashMap<(&str, &str), &Json> = file.all_facts().collect();
    for entry in &mut summary.entries {
        let unit = (entry.split.as_str(), entry.subset.as_str());
        let (scores, facts) = (scores.get(&unit).copied(), facts.get(&unit).copied());
        entry.origin = facts.map(|facts| origin(facts, unit));
        let version = scores.and_then(|scores| scores.get("mteb_version")?.as_text());
        let of_file = (summary.version.as_deref(), summary.dataset_revision.as_str());
        entry.of_others = facts.and_then(|facts| of_others(facts, version, of_file));
        entry.scores = scores.map(numbers).unwrap_or_default();
        entry.other_main = entry.other_main.take().filter(|_| entry.scores.is_empty());
        // What this host wrote is judged as a whole, by whoever knows how it writes.
        entry.fault = entry.fault.take().filter(|_| entry.of_others.is_some());
        entry.doubt = entry.doubt.take().filter(|_| entry.of_others.is_some());
    }
}

/// What a file of this host says of a score that others made; `None` of one of its own.
fn of_others(
    facts: &Json,
    version: Option<&str>,
    (of_file, revision): (Option<&str>, &str),
) -> Option<OfOthers> {
    is_scored_by_others(facts, version, of_file).then(|| OfOthers {
        version: version.map(str::to_owned),
        dataset_revision: facts
            .get(OTHERS)
            .and_then(|others| text(others, "dataset_revision"))
            .unwrap_or_else(|| revision.to_owned()),
    })
}

fn numbers(scores: &Json) -> BTreeMap<String, f64> {
    let scores = scores.as_map().unwrap_or_default().iter().filter(|(name, _)| name != "main_score");
    let numbers = scores.filter_map(|(name, score)| Some((name.clone(), score.as_number()?)));
    numbers.filter(|(_, score)| score.is_finite()).collect()
}

fn hashes(members: &Json) -> BTreeMap<String, String> {
    let hash = |hash: &Json| hash.as_text().unwrap_or_default().to_owned();
    members.as_map().unwrap_or_default().iter().map(|(name, json)| (name.clone(), hash(json))).collect()
}

fn origin(facts: &Json, unit: (&str, &str)) -> ScoreOrigin {
    let option = |key: &str| facts.get("options").and_then(|options| text(options, key));
    let made_from = made_from(facts);
    let is_of_own_data = made_from.is_some() && is_of_files(facts);
    let without_defaults = made_from.as_ref().and_then(|(data, options)| {
        let mut effective = options.clone();
        leave_out_defaults(&mut effective, unit);
        (effective != *options).then(|| format!("{data}{effective}"))
    });
    let made_from = made_from.map(|(data, options)| format!("{data}{options}"));
    let plainly = without_defaults.as_ref().or(made_from.as_ref()).filter(|_| is_of_own_data);
    let with_earlier = plainly
        .zip(text(facts, "earlier"))
        .map(|(text, hash)| format!("{text}{}", serde_json::json!({ "earlier": hash })));
    ScoreOrigin {
        made_from,
        without_defaults,
        with_earlier,
        is_of_own_data,
        task_type: option("type"),
        main_score: option("main_score"),
        state: facts.get("model").map(compact),
        prompts: facts.get("prompts").map(compact),
        members: facts.get("members").map(hashes).unwrap_or_default(),
    }
}

/// True if a score was made from files of the user's own; a mean of other tasks has no data itself.
fn is_of_files(facts: &Json) -> bool {
    let data = facts.get("data").filter(|_| facts.get("members").is_none());
    matches!(data.and_then(DataFacts::from_json), Some(DataFacts::Local(_)))
}

/// The text under `key` of an object.
fn text(json: &Json, key: &str) -> Option<String> {
    json.get(key)?.as_text().map(str::to_owned)
}

/// The shortest JSON.
fn compact(json: &Json) -> String {
    Value::from(json).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_files_that_no_dataset_has_is_the_users_own_in_whatever_order_it_is_written() {
        let is_own = |facts: &str| {
            let facts: Value = serde_json::from_str(facts).unwrap();
            origin(&Json::from(facts), ("test", "default")).is_of_own_data
        };
        assert!(is_own(r#"{"data": {"files": {"a.csv": "1"}}, "options": {}}"#));
        let fetched = r#"{"files": {"a.csv": "1"}, "dataset": "o/d", "revision": "r"}"#;
        assert!(!is_own(&format!(r#"{{"data": {fetched}, "options": {{}}}}"#)), "a dataset has them");
        assert!(!is_own(r#"{"members": {"files": "1"}, "options": {}}"#), "a member may be called so");
        assert!(!is_own(r#"{"data": {"files": {"a.csv": "1"}}}"#), "nobody knows the options");
    }
}
