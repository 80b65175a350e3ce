//! One result file: today's form, and that of before mteb 1.11.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use mteb_card::defaults::leave_out_defaults;
use mteb_card::{OTHERS, is_scored_by_others};
use mteb_json::{check_once, without_tokens};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::collection::{Entry, OfOthers, ResultFile, ScoreOrigin, is_of_own_data};
use super::footprint::footprint;
use super::form_fault::FormFault;
use super::historic::read_historic;
use super::number::Number;
use super::raw_entry::RawEntry;
use crate::version::Version;

/// Reads the text of a result file called `<stem>.json`.
///
/// # Errors
/// What was expected and what was found.
pub fn read_result(text: &str, stem: &str) -> Result<ResultFile, FormFault> {
    let mut file = match read_json(text, stem) {
        // Python's tokens are rare, and cost a copy of the text.
        Err(_) if text.contains("NaN") || text.contains("Infinity") => {
            read_json(&without_tokens(text), stem)?
        }
        read => read?,
    };
    file.stem = stem.to_owned();
    if !file.task.eq_ignore_ascii_case(stem) {
        return Err(FormFault::OtherTask { expected: stem.to_owned(), found: file.task });
    }
    Ok(file)
}

fn read_json(text: &str, stem: &str) -> Result<ResultFile, FormFault> {
    let current: Result<Raw, _> = serde_json::from_str(text);
    let error = match current {
        Ok(raw) => match raw.complete() {
            Ok(raw) => return raw.into_file(text),
            Err(missing) => missing,
        },
        Err(error) if error.is_data() => FormFault::Values(error),
        Err(error) => return Err(FormFault::Json(error)),
    };
    let value: Value = serde_json::from_str(text).map_err(FormFault::Json)?;
    if !value.is_object() {
        return Err(FormFault::OtherJson);
    }
    if !is_historic(&value) {
        return Err(error);
    }
    check_once(text).map_err(FormFault::KeyTwice)?;
    read_historic(value, stem)
}

/// The reference takes files without a version, or of one before 1.11, to have the old form.
fn is_historic(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    match object.get("mteb_version") {
        None => true,
        Some(version) => {
            let first = version.as_str().and_then(Version::parse_first);
            first.is_some_and(|version| Some(version) < Version::parse("1.11.0"))
        }
    }
}

/// A file of today's form, as far as it is needed.
#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow)]
    task_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    dataset_revision: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    mteb_version: Option<Option<Cow<'a, str>>>,
    #[serde(borrow)]
    scores: Option<Splits<'a>>,
    date: Option<Date>,
    evaluation_time: Option<Number>,
    mteb_host: Option<IgnoredAny>,
}

/// A key that must be there, though its value may be `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Cow<'de, str>>>, D::Error> {
    Option::<Cow<'de, str>>::deserialize(deserializer).map(Some)
}

/// Splits in the order of the file.
struct Splits<'a>(Vec<(Cow<'a, str>, Vec<RawEntry>)>);

/// The reference writes seconds, earlier versions text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Date {
    Seconds(f64),
    Other(IgnoredAny),
}

impl<'de: 'a, 'a> Deserialize<'de> for Splits<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SplitsVisitor;
        impl<'de> Visitor<'de> for SplitsVisitor {
            type Value = Splits<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("scores by split")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut splits = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    splits.push(entry);
                }
                Ok(Splits(splits))
            }
        }
        deserializer.deserialize_map(SplitsVisitor)
    }
}

impl<'a> Raw<'a> {
    fn complete(self) -> Result<Self, FormFault> {
        let missing = [
            ("task_name", self.task_name.is_none()),
            ("dataset_revision", self.dataset_revision.is_none()),
            ("scores", self.scores.is_none()),
        ];
        match missing.into_iter().find(|(_, is_missing)| *is_missing) {
            Some((key, _)) => Err(FormFault::Missing(key)),
            None => Ok(self),
        }
    }

    fn into_file(self, text: &str) -> Result<ResultFile, FormFault> {
        let is_ours = self.mteb_host.is_some();
        let splits = self.scores.map(|splits| splits.0).unwrap_or_default();
        check_splits(&splits)?;
        let entries = splits.into_iter().flat_map(|(split, entries)| {
            let twice = twice(&entries);
            entries.into_iter().map(move |entry| Entry {
                fault: fault(&entry, &twice),
                doubt: entry.doubt,
                split: split.clone().into_owned(),
                subset: entry.subset,
                languages: entry.languages,
                main_score: entry.main_score.filter(|score| score.is_finite()),
                ..Entry::default()
            })
        });
        let mut file = ResultFile {
            task: self.task_name.unwrap_or_default().into_owned(),
            stem: String::new(),
            model: None,
            dataset_revision: self.dataset_revision.unwrap_or_default().into_owned(),
            version: self.mteb_version.flatten().map(Cow::into_owned),
            date: match self.date {
                Some(Date::Seconds(seconds)) => Some(seconds),
                Some(Date::Other(_)) | None => None,
            },
            evaluation_time: self.evaluation_time.and_then(|time| time.0),
            is_historic: false,
            is_ours,
            state: None,
            prompts: None,
            footprint: None,
            entries: entries.collect(),
        };
        if is_ours {
            add_origins(&mut file, text)?;
        }
        Ok(file)
    }
}

/// Checks that each split is there once.
fn check_splits(splits: &[(Cow<str>, Vec<RawEntry>)]) -> Result<(), FormFault> {
    let mut names = HashSet::new();
    match splits.iter().find(|(split, _)| !names.insert(split)) {
        Some((split, _)) => Err(FormFault::SplitTwice(split.clone().into_owned())),
        None => Ok(()),
    }
}

/// Subsets that are there twice.
fn twice(entries: &[RawEntry]) -> HashSet<String> {
    let mut seen = HashSet::new();
    entries.iter().filter(|entry| !seen.insert(&entry.subset)).map(|entry| entry.subset.clone()).collect()
}

/// Why a score of others cannot be right: a subset is there twice, or its main score is none of its scores.
fn fault(entry: &RawEntry, twice: &HashSet<String>) -> Option<String> {
    if twice.contains(&entry.subset) {
        return Some("expected one entry, found two".to_owned());
    }
    let found = entry.main_score?;
    let expected = match (entry.is_among_scores, entry.is_mean_over_experiments) {
        (false, _) => "one of the scores",
        (true, false) => "the mean of a measure over `scores_per_experiment`",
        (true, true) => return None,
    };
    Some(format!("expected `main_score` to be {expected}, found: {found}"))
}

/// Adds what a file of this host says of its scores.
fn add_origins(file: &mut ResultFile, text: &str) -> Result<(), FormFault> {
    let value: Value = serde_json::from_str(text).map_err(FormFault::Json)?;
    let host = &value["mteb_host"];
    file.model = host["model"]["name"].as_str().map(str::to_owned);
    file.state = host.get("model").map(Value::to_string);
    file.prompts = host.get("prompts").map(Value::to_string);
    file.footprint = footprint(host);
    let mut said: HashMap<(&str, &str), &Value> = HashMap::new();
    for (split, entries) in value["scores"].as_object().into_iter().flatten() {
        for found in entries.as_array().into_iter().flatten() {
            let subset = found["hf_subset"].as_str().unwrap_or_default();
            said.entry((split.as_str(), subset)).or_insert(found);
        }
    }
    for entry in &mut file.entries {
        let own = said.get(&(entry.split.as_str(), entry.subset.as_str()));
        entry.scores = own.and_then(|own| own.as_object()).map(numbers).unwrap_or_default();
        let unit = value["mteb_host"]["units"][&entry.split].get(&entry.subset);
        entry.origin = unit.map(|facts| origin(facts, (&entry.split, &entry.subset)));
        let version = own.and_then(|own| own["mteb_version"].as_str());
        entry.of_others = unit
            .and_then(|facts| of_others(facts, version, (file.version.as_deref(), &file.dataset_revision)));
        // What this host wrote is judged as a whole, by whoever knows how it writes.
        entry.fault = entry.fault.take().filter(|_| entry.of_others.is_some());
        entry.doubt = entry.doubt.take().filter(|_| entry.of_others.is_some());
    }
    Ok(())
}

/// What a file of this host says of a score that others made; `None` of one of its own.
fn of_others(
    facts: &Value,
    version: Option<&str>,
    (of_file, revision): (Option<&str>, &str),
) -> Option<OfOthers> {
    is_scored_by_others(facts, version, of_file).then(|| OfOthers {
        version: version.map(str::to_owned),
        dataset_revision: facts[OTHERS]["dataset_revision"].as_str().unwrap_or(revision).to_owned(),
    })
}

fn numbers(scores: &serde_json::Map<String, Value>) -> BTreeMap<String, f64> {
    let numbers = scores.iter().filter(|(name, _)| *name != "main_score");
    numbers.filter_map(|(name, score)| Some((name.clone(), score.as_f64()?))).collect()
}

fn hashes(members: &serde_json::Map<String, Value>) -> BTreeMap<String, String> {
    let text = |hash: &Value| hash.as_str().unwrap_or_default().to_owned();
    members.iter().map(|(name, hash)| (name.clone(), text(hash))).collect()
}

fn origin(facts: &Value, unit: (&str, &str)) -> ScoreOrigin {
    let option = |key: &str| facts["options"][key].as_str().map(str::to_owned);
    let members = facts.get("members");
    let mut data = members.or_else(|| facts.get("data")).cloned();
    if let (Some(Value::Object(data)), None) = (&mut data, members) {
        // Whoever packs the same rows anew changes nothing.
        data.shift_remove("code");
    }
    let made_from = data.zip(facts.get("options"));
    let without_defaults = made_from.as_ref().and_then(|(data, options)| {
        let mut effective = (*options).clone();
        leave_out_defaults(&mut effective, unit);
        (effective != **options).then(|| format!("{data}{effective}"))
    });
    let made_from = made_from.map(|(data, options)| format!("{data}{options}"));
    let plainly = without_defaults.as_ref().or(made_from.as_ref()).filter(|text| is_of_own_data(text));
    let with_earlier = plainly
        .zip(facts.get("earlier").filter(|hash| hash.is_string()))
        .map(|(text, hash)| format!("{text}{}", serde_json::json!({ "earlier": hash })));
    ScoreOrigin {
        made_from,
        without_defaults,
        with_earlier,
        task_type: option("type"),
        main_score: option("main_score"),
        state: facts.get("model").map(Value::to_string),
        prompts: facts.get("prompts").map(Value::to_string),
        members: members.and_then(Value::as_object).map(hashes).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_today_is_read() {
        let text = r#"{"dataset_revision": "r", "task_name": "T", "mteb_version": null, "evaluation_time": "3",
            "scores": {"test": [{"hf_subset": "default", "languages": ["eng-Latn"], "main_score": NaN, "ap": 0.5},
                                {"hf_subset": "b", "languages": [], "main_score": 1}]}}"#;
        let file = read_result(text, "T").unwrap();
        assert_eq!((file.entries[0].main_score, file.entries[1].main_score), (None, Some(1.0)));
        assert_eq!((file.entries[0].split.as_str(), file.version), ("test", None));
    }

    #[test]
    fn what_nobody_can_have_scored_is_marked() {
        let read = |scores: &str| {
            let head = r#"{"dataset_revision": "r", "task_name": "T", "mteb_version": "2.0.0", "scores": "#;
            read_result(&format!("{head}{scores}}}"), "T")
        };
        let entry =
            |main: &str| format!(r#"{{"hf_subset": "a", "languages": [], "main_score": {main}, "ap": 0.6}}"#);
        let fault = |scores: String| read(&scores).unwrap().entries[0].fault.clone();
        assert_eq!(fault(format!(r#"{{"test": [{}]}}"#, entry("0.6"))), None);
        let other = "expected `main_score` to be one of the scores, found: 0.999".to_owned();
        assert_eq!(fault(format!(r#"{{"test": [{}]}}"#, entry("0.999"))), Some(other));
        let two = "expected one entry, found two".to_owned();
        assert_eq!(fault(format!(r#"{{"test": [{0}, {0}]}}"#, entry("0.6"))), Some(two));
        let split = read(&format!(r#"{{"test": [], "test": [{}]}}"#, entry("0.6"))).unwrap_err();
        assert_eq!(split.to_string(), "split test: expected once, found twice");
        let text = read(&format!(r#"{{"test": [{}]}}"#, entry("\"0.6\""))).unwrap_err().to_string();
        assert!(text.contains("expected f64"), "{text}");
    }

    #[test]
    fn what_is_no_result_is_named() {
        let fault = |text: &str| read_result(text, "T").unwrap_err().to_string();
        assert!(fault("{").starts_with("expected JSON: "));
        assert_eq!(
            fault(r#"{"mteb_version": "2.0.0"}"#),
            "expected a result file with `task_name`, found none"
        );
        let other =
            r#"{"dataset_revision": "r", "task_name": "Other", "mteb_version": "2.0.0", "scores": {}}"#;
        assert_eq!(fault(other), "expected results of the task T, found: Other");
    }
}
