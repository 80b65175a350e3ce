//! Result files of before mteb 1.11, as the reference converts them: `{"test": {"ndcg_at_10": …}}` at the top.

use std::collections::BTreeMap;

use mteb_json::{Json, check_once, read_past_tokens};
use mteb_measures::numeric::is_among;
use serde_json::{Map, Value};

use super::doubt::Parts;
use super::summary::{Entry, Summary};
use super::version::is_historic;
use crate::fault::ResultFault;
use crate::result_file::SplitScores;
use crate::{ResultFile, SubsetScores};

/// Tasks that got another name.
const RENAMED: [(&str, &str); 5] = [
    ("NorwegianParliament", "NorwegianParliamentClassification"),
    ("CMedQAv2", "CMedQAv2-reranking"),
    ("CMedQAv1", "CMedQAv1-reranking"),
    ("8TagsClustering", "EightTagsClustering"),
    ("PPC", "PpcPC"),
];

/// Keys below a split that hold groups of scores and are no subset.
const GROUPS: [&str; 6] = ["v_measures", "cos_sim", "euclidean", "manhattan", "dot", "max"];

/// Groups of scores and what their scores begin with today.
const PREFIXES: [(&str, &str); 6] = [
    ("cos_sim", "cosine"),
    ("manhattan", "manhattan"),
    ("euclidean", "euclidean"),
    ("dot", "dot"),
    ("max", "max"),
    ("similarity", "similarity"),
];

/// Reads a file of the old form.
///
/// # Errors
/// What was expected and what was found.
pub fn read_historic(value: Value, stem: &str) -> Result<Summary, ResultFault> {
    let found = with_names_of_today(value, stem)?;
    let entries = found.units.into_iter().map(|(split, subset, scores)| entry(&split, &subset, scores));
    Ok(Summary {
        task: found.task,
        dataset_revision: found.revision,
        version: found.version,
        evaluation_time: found.seconds,
        is_historic: true,
        entries: entries.collect(),
        ..Summary::default()
    })
}

/// Brings a file of the old form into today's. Main scores are left as the file names them, and are `null` where it does not.
///
/// # Errors
/// What was expected and what was found.
fn convert_historic(value: Value, stem: &str) -> Result<ResultFile, ResultFault> {
    let found = with_names_of_today(value, stem)?;
    if found.task != stem {
        return Err(ResultFault::OtherTask { expected: stem.to_owned(), found: found.task });
    }
    let mut file = ResultFile::new(&found.task, &found.revision, Json::Null);
    file.evaluation_time = found.seconds.unwrap_or(0.0);
    file.is_historic = true;
    for (split, subset, scores) in found.units {
        let entry = converted_entry(&subset, scores, found.version.as_deref());
        match file.splits.iter_mut().find(|known| known.split == split) {
            Some(known) => known.entries.push(entry),
            None => file.splits.push(SplitScores { split, entries: vec![entry] }),
        }
    }
    Ok(file)
}

fn converted_entry(subset: &str, scores: Map<String, Value>, version: Option<&str>) -> SubsetScores {
    let mut main_score = Json::Null;
    let mut entries = Vec::new();
    for (name, value) in rename_scores(scores) {
        match name.as_str() {
            "main_score" => main_score = Json::from(value),
            _ => entries.push((name, Json::from(value))),
        }
    }
    let mut entry = SubsetScores::new(subset, Json::Map(entries), main_score, &[]);
    match version {
        Some(version) => entry.json.set("mteb_version", Json::from(version)),
        None => entry.json.remove("mteb_version"),
    }
    entry
}

/// A file of the old form whose task, subsets and scores have their names of today.
struct Renamed {
    task: String,
    revision: String,
    version: Option<String>,
    seconds: Option<f64>,
    /// Split, subset and scores, these as they stand in the file.
    units: Vec<(String, String, Map<String, Value>)>,
}

fn with_names_of_today(value: Value, stem: &str) -> Result<Renamed, ResultFault> {
    let Value::Object(mut top) = value else {
        return Err(ResultFault::OtherJson);
    };
    let mut text = |key: &str| top.remove(key).and_then(|value| value.as_str().map(str::to_owned));
    let (revision, version) = (text("dataset_revision"), text("mteb_version"));
    let name = text("mteb_dataset_name").ok_or(ResultFault::Missing("task_name"))?;
    let name = RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| (*new).to_owned());
    let mut splits = Vec::new();
    let mut seconds = None;
    for (split, scores) in top {
        let Value::Object(mut scores) = scores else {
            return Err(ResultFault::Field("scores").of_split(&split));
        };
        let time = scores.remove("evaluation_time").and_then(|time| time.as_f64());
        seconds = time.map(|time| seconds.unwrap_or(0.0) + time).or(seconds);
        splits.push((split, scores));
    }
    let has_subsets =
        splits.iter().any(|(_, scores)| scores.iter().any(|(key, value)| is_subset(key, value)));
    let is_summarized = name.starts_with("MLSUMClustering");
    let mut units = Vec::new();
    for (split, scores) in splits {
        if !has_subsets {
            let renamed = renamed_subset(&name, &split, "default", version.as_deref());
            let subset = if is_summarized { renamed } else { "default" }.to_owned();
            units.push((split, subset, scores));
            continue;
        }
        for (subset, scores) in scores {
            let Value::Object(scores) = scores else {
                return Err(ResultFault::Field("scores").of_unit(&split, &subset));
            };
            let subset = renamed_subset(&name, &split, &subset, version.as_deref()).to_owned();
            units.push((split.clone(), subset, scores));
        }
    }
    Ok(Renamed {
        // The reference finds the task whatever the case of its letters.
        task: if name.eq_ignore_ascii_case(stem) { stem.to_owned() } else { name },
        revision: revision.unwrap_or_else(|| "dataset revision not available".to_owned()),
        version,
        seconds,
        units,
    })
}

/// Scores under their names of today: those of a group stand among the others.
fn rename_scores(scores: Map<String, Value>) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (key, value) in scores {
        match (value, PREFIXES.iter().find(|(old, _)| *old == key)) {
            (Value::Object(group), Some((_, prefix))) => {
                all.extend(group.into_iter().map(|(name, score)| (format!("{prefix}_{name}"), score)));
            }
            (value, _) => all.push((key, value)),
        }
    }
    all
}

fn is_subset(key: &str, value: &Value) -> bool {
    value.is_object() && !GROUPS.contains(&key)
}

/// Subsets that got another name.
fn renamed_subset<'a>(task: &str, split: &str, subset: &'a str, version: Option<&str>) -> &'a str {
    let is_french = matches!(version, Some("1.1.2.dev0" | "1.1.3.dev0"));
    match (task, split, subset) {
        ("XPQARetrieval", "test", "fr") => "fra-fra",
        ("MLSUMClusteringP2P" | "MLSUMClusteringS2S", "test", "default") if is_french => "fr",
        _ => subset,
    }
}

fn entry(split: &str, subset: &str, scores: Map<String, Value>) -> Entry {
    let mut numbers = BTreeMap::new();
    let mut main_score = None;
    for (name, value) in rename_scores(scores) {
        match &value {
            _ if name == "main_score" => main_score = value.as_f64(),
            Value::Object(_) => {}
            _ => drop(numbers.insert(name, number(&value))),
        }
    }
    let all: Vec<f64> = numbers.values().copied().collect();
    let odd = main_score.filter(|main| !is_among(*main, &all));
    let mut parts = Parts::default();
    let wanted = numbers.iter().filter(|(name, score)| Parts::is_wanted(name) && !score.is_nan());
    wanted.for_each(|(name, score)| parts.add(name, &[*score]));
    // Most of them do not say which score stands for the task; of pairs it is the largest average precision.
    let main = main_score.or_else(|| numbers.get("max_ap").copied());
    let doubt = main.and_then(|main| parts.doubt(main));
    Entry {
        split: split.to_owned(),
        subset: subset.to_owned(),
        main_score,
        scores: numbers,
        fault: odd.map(|found| ResultFault::not_among(found).to_string()),
        doubt,
        ..Entry::default()
    }
}

/// A score; not a number if it is none, so that whoever looks for it sees that it is there.
fn number(score: &Value) -> f64 {
    score.as_f64().unwrap_or(f64::NAN)
}

/// The result file of before mteb 1.11 that `text` is, in today's form but for its main scores, which the card of its task names; `None`
/// if it is no such file.
pub fn read_old_form(text: &str, stem: &str) -> Option<Result<ResultFile, ResultFault>> {
    let read = |text: &str| serde_json::from_str::<Value>(text);
    let value = read_past_tokens(text, read).ok()?;
    if !is_historic(&value) || value.get("mteb_dataset_name").is_none() {
        return None;
    }
    Some(match read_past_tokens(text, check_once) {
        Ok(()) => convert_historic(value, stem),
        Err(error) => Err(ResultFault::KeyTwice(error)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::read::read_summary;
    use super::*;

    #[test]
    fn scores_at_the_top_are_the_subset_default() {
        let text = r#"{"dataset_revision": null, "mteb_dataset_name": "SciFact", "mteb_version": "1.1.1.dev0",
            "test": {"evaluation_time": 12.5, "ndcg_at_10": 0.64}}"#;
        let file = read_summary(text, "SciFact", None).unwrap();
        assert_eq!(file.entries[0].main("ndcg_at_10"), Some(0.64));
        assert_eq!((file.entries[0].subset.as_str(), file.evaluation_time), ("default", Some(12.5)));
    }

    #[test]
    fn groups_of_scores_get_todays_names() {
        let text = r#"{"mteb_dataset_name": "STS17", "test": {"en-en": {"cos_sim": {"spearman": 0.8}},
            "evaluation_time": 1}}"#;
        let file = read_summary(text, "STS17", None).unwrap();
        assert_eq!(file.entries[0].subset, "en-en");
        assert_eq!(file.entries[0].main("cosine_spearman"), Some(0.8));
        let text = r#"{"mteb_dataset_name": "TwitterSemEval2015",
            "test": {"cos_sim": {"ap": 0.7}, "max": {"ap": 0.75}, "evaluation_time": 1}}"#;
        assert_eq!(
            read_summary(text, "TwitterSemEval2015", None).unwrap().entries[0].main("max_ap"),
            Some(0.75)
        );
    }

    #[test]
    fn a_score_that_is_no_number_is_there_and_is_none() {
        for score in ["NaN", "null", "\"0.6\"", "true", "[0.6]"] {
            let text =
                format!(r#"{{"mteb_dataset_name": "T", "test": {{"cos_sim": {{"spearman": {score}}}}}}}"#);
            let entry = &read_summary(&text, "T", None).unwrap().entries[0];
            assert!(
                entry.scores["cosine_spearman"].is_nan() && entry.main("cosine_spearman").is_none(),
                "{score}"
            );
        }
    }

    #[test]
    fn a_main_score_that_is_none_of_the_scores_is_a_fault() {
        let fault = |main: f64| {
            let scores =
                format!(r#"{{"cos_sim": {{"spearman": 0.6, "pearson": 0.7}}, "main_score": {main}}}"#);
            let text = format!(r#"{{"mteb_dataset_name": "T", "test": {scores}}}"#);
            read_summary(&text, "T", None).unwrap().entries[0].fault.clone()
        };
        assert_eq!(fault(0.6), None);
        assert_eq!(fault(0.95).unwrap(), "expected `main_score` to be one of the scores, found: 0.95");
    }

    #[test]
    fn a_converted_file_has_every_unit_with_its_version() {
        let text = r#"{"dataset_revision": "abc", "mteb_dataset_name": "STS17", "mteb_version": "1.2.0", "test": {
            "en-en": {"cos_sim": {"spearman": 0.8, "pearson": NaN}}, "fr-en": {"cos_sim": {"spearman": 0.7}},
            "evaluation_time": 4}}"#;
        let file = super::read_old_form(text, "STS17").unwrap().unwrap();
        assert_eq!((file.dataset_revision.as_str(), file.evaluation_time), ("abc", 4.0));
        for (subset, score) in [("en-en", 0.8), ("fr-en", 0.7)] {
            let entry = &file.entry("test", subset).unwrap().json;
            assert_eq!(entry.get("cosine_spearman").and_then(Json::as_number), Some(score));
            assert_eq!(entry.get("mteb_version").and_then(Json::as_text), Some("1.2.0"));
        }
        assert!(super::read_old_form("{}", "STS17").is_none());
    }

    #[test]
    fn what_stands_twice_is_no_result() {
        let text = r#"{"mteb_dataset_name": "T", "test": {"ap": 0.1}, "test": {"ap": 0.6}}"#;
        assert!(
            read_summary(text, "T", None)
                .unwrap_err()
                .to_string()
                .contains("expected `test` once, found it twice")
        );
    }

    #[test]
    fn a_task_is_found_whatever_the_case_of_its_letters() {
        let text = r#"{"mteb_dataset_name": "SCIFACT", "test": {"ndcg_at_10": 0.5}}"#;
        assert_eq!(read_summary(text, "SciFact", None).unwrap().task, "SciFact");
    }
}
