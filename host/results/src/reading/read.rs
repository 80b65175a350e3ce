//! Reads result files of all ages for tables: those of today, of this host and of others, and those
//! of before mteb 1.11.

use std::collections::HashMap;

use mteb_json::{check_once, read_past_tokens};
use serde_json::Value;

use super::historic::read_historic;
use super::origins::add_origins;
use super::raw_file::RawFile;
use super::summary::Summary;
use super::version::is_historic;
use crate::ResultFile;
use crate::checked::{check_whole, doubt_of_unit, parse_text, unit_faults};
use crate::fault::ResultFault;

/// Reads the text of a result file called `<stem>.json`, of a task whose main score is `main`,
/// where that is known. A file of this host is checked as [`read_checked`](crate::read_checked)
/// does; what cannot be right of one unit, in a file of anybody, is noted in the entry that it
/// concerns, and so is a main score that is another measure than `main`.
///
/// # Errors
/// What was expected and what was found.
pub fn read_summary(text: &str, stem: &str, main: Option<&str>) -> Result<Summary, ResultFault> {
    read_with(text, (stem, main), |text, summary| {
        let file = check_whole(text, stem)?;
        add_origins(summary, &file);
        note_faults(summary, &file);
        Ok(())
    })
}

/// The same of a file that counts as it is, whoever wrote it.
///
/// # Errors
/// What was expected and what was found.
pub fn read_summary_unchecked(text: &str, stem: &str, main: Option<&str>) -> Result<Summary, ResultFault> {
    read_with(text, (stem, main), |text, summary| {
        add_origins(summary, &parse_text(text)?);
        Ok(())
    })
}

fn read_with(
    text: &str,
    (stem, main): (&str, Option<&str>),
    add_own: impl Fn(&str, &mut Summary) -> Result<(), ResultFault>,
) -> Result<Summary, ResultFault> {
    let mut summary = read_past_tokens(text, |text| summarize_any_age(text, stem, main))?;
    summary.stem = stem.to_owned();
    summary.main_score = main.map(str::to_owned);
    if !summary.task.eq_ignore_ascii_case(stem) {
        return Err(ResultFault::OtherTask { expected: stem.to_owned(), found: summary.task });
    }
    if summary.is_ours {
        add_own(text, &mut summary)?;
    }
    Ok(summary)
}

/// Notes in the entries of a file of this host why they cannot be right, or may not be. What such
/// an entry was made from says nothing of others.
fn note_faults(summary: &mut Summary, file: &ResultFile) {
    let mut faults: HashMap<(String, String), String> = HashMap::new();
    for fault in unit_faults(file) {
        if let ResultFault::Unit { split, subset, fault } = fault {
            faults.insert((split, subset), fault.to_string());
        }
    }
    let entries =
        file.splits.iter().flat_map(|split| split.entries.iter().map(|entry| (&split.split, entry)));
    let doubts = entries.filter_map(|(split, entry)| {
        Some(((split.clone(), entry.subset.clone()), doubt_of_unit(file, split, entry)?))
    });
    let doubts: HashMap<(String, String), String> = doubts.collect();
    if faults.is_empty() && doubts.is_empty() {
        return;
    }
    for entry in &mut summary.entries {
        let unit = (entry.split.clone(), entry.subset.clone());
        entry.doubt = doubts.get(&unit).cloned().or(entry.doubt.take());
        if let Some(fault) = faults.get(&unit) {
            entry.fault = Some(fault.clone());
            entry.origin = None;
        }
    }
}

fn summarize_any_age(text: &str, stem: &str, main: Option<&str>) -> Result<Summary, ResultFault> {
    let fault = match serde_json::from_str::<RawFile>(text) {
        Ok(raw) => match raw.into_summary(main) {
            Err(fault @ ResultFault::Missing(_)) => fault,
            read => return read,
        },
        Err(error) if error.is_data() => ResultFault::Form(error),
        Err(error) => return Err(ResultFault::Json(error.into())),
    };
    let value: Value = serde_json::from_str(text).map_err(|error| ResultFault::Json(error.into()))?;
    if !value.is_object() {
        return Err(ResultFault::OtherJson);
    }
    if !is_historic(&value) {
        return Err(fault);
    }
    check_once(text).map_err(ResultFault::KeyTwice)?;
    read_historic(value, stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::check_text;

    #[test]
    fn a_file_of_today_is_read() {
        let text = r#"{"dataset_revision": "r", "task_name": "T", "mteb_version": null, "evaluation_time": "3",
            "scores": {"test": [{"hf_subset": "default", "languages": ["eng-Latn"], "main_score": NaN, "ap": 0.5},
                                {"hf_subset": "b", "languages": [], "main_score": 1}]}}"#;
        let file = read_summary(text, "T", None).unwrap();
        assert_eq!((file.entries[0].main_score, file.entries[1].main_score), (None, Some(1.0)));
        assert_eq!((file.entries[0].split.as_str(), file.version), ("test", None));
    }

    #[test]
    fn what_nobody_can_have_scored_is_marked() {
        let read = |scores: &str| {
            let head = r#"{"dataset_revision": "r", "task_name": "T", "mteb_version": "2.0.0", "scores": "#;
            read_summary(&format!("{head}{scores}}}"), "T", None).map_err(|fault| fault.to_string())
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
        assert_eq!(split, "split test: expected once, found twice");
        let text = read(&format!(r#"{{"test": [{}]}}"#, entry("\"0.6\""))).unwrap_err();
        assert!(text.contains("expected f64"), "{text}");
    }

    #[test]
    fn a_main_score_that_is_another_measure_is_noted_for_whoever_knows_the_main_score_of_the_task() {
        let text = r#"{"dataset_revision": "r", "task_name": "T", "mteb_version": "2.0.0", "scores": {"test": [
            {"hf_subset": "a", "languages": [], "accuracy": 0.6, "f1": 0.5, "main_score": 0.5},
            {"hf_subset": "b", "languages": [], "accuracy": 0.6, "f1": 0.5, "main_score": 0.6}]}}"#;
        let others = |main: Option<&str>| -> Vec<Option<f64>> {
            let summary = read_summary(text, "T", main).unwrap();
            assert!(summary.entries.iter().all(|entry| entry.fault.is_none()));
            let other =
                |own: &str| summary.entries.iter().map(|entry| entry.other_main(own)?.score).collect();
            other("accuracy")
        };
        assert_eq!(others(Some("accuracy")), [Some(0.6), None]);
        assert_eq!(others(Some("f1")), [None, None], "it was compared with another measure");
        assert_eq!(others(None), [None, None]);
    }

    #[test]
    fn what_is_no_result_is_named() {
        let fault = |text: &str| read_summary(text, "T", None).unwrap_err().to_string();
        assert!(fault("{").starts_with("expected JSON: "));
        assert_eq!(
            fault(r#"{"mteb_version": "2.0.0"}"#),
            "expected a result file with `task_name`, found none"
        );
        let other =
            r#"{"dataset_revision": "r", "task_name": "Other", "mteb_version": "2.0.0", "scores": {}}"#;
        assert_eq!(fault(other), "expected results of the task T, found: Other");
    }

    /// A file of this host with one score, `extra` beside it.
    fn own(extra: &str) -> String {
        format!(
            r#"{{"dataset_revision": "r", "task_name": "T", "mteb_version": "2.26.24", "evaluation_time": 1,
            "scores": {{"test": [{{"pearson": NaN, "cosine_spearman": 0.5, "main_score": 0.5, "hf_subset": "default",
                "languages": ["eng-Latn"], "mteb_version": "2.26.24"{extra}}}]}},
            "mteb_host": {{"model": {{"name": "a/b"}}, "units": {{"test": {{"default": {{
                "data": {{"dataset": "a/b", "code": "1"}}, "options": {{"type": "STS", "main_score": "cosine_spearman"}}
            }}}}}}}}}}"#
        )
    }

    #[test]
    fn tables_and_whole_files_say_the_same_of_what_scores_were_made_from() {
        let summary = read_summary(&own(""), "T", None).unwrap();
        let file = check_text(&own(""), "T").unwrap();
        let made_from = summary.entries[0].made_from();
        assert_eq!(made_from, Some(r#"{"dataset":"a/b"}{"type":"STS","main_score":"cosine_spearman"}"#));
        assert_eq!(file.made_from("test", "default").as_deref(), made_from);
        assert_eq!(summary.split_made_from("test"), file.split_made_from("test"));
        assert_eq!(summary.split_made_from("dev"), None);
        assert_eq!((summary.model.as_deref(), summary.entries[0].scores.len()), (Some("a/b"), 1));
    }

    #[test]
    fn one_unit_of_this_host_that_cannot_be_right_leaves_the_others_as_they_are() {
        let second = r#"}, {"cosine_spearman": 0.3, "main_score": 0.9, "hf_subset": "b", "languages": [],
            "mteb_version": "2.26.24""#;
        let summary = read_summary(&own(second), "T", None).unwrap();
        let faults: Vec<Option<&str>> = summary.entries.iter().map(|entry| entry.fault.as_deref()).collect();
        assert_eq!(faults, [None, Some("expected `main_score` to be one of the scores, found: 0.9")]);
        assert!(summary.entries[0].origin.is_some());
        let twice = second.replace("\"b\"", "\"default\"");
        let summary = read_summary(&own(&twice), "T", None).unwrap();
        let two = Some("expected one entry, found two".to_owned());
        assert!(summary.entries.iter().all(|entry| entry.fault == two), "{summary:?}");
    }

    #[test]
    fn each_score_of_a_file_of_this_host_is_judged_unless_it_counts_as_it_is() {
        let edited = own(r#", "recall_at_5": 1.5"#);
        let fault = read_summary(&edited, "T", None).unwrap().entries[0].fault.clone().unwrap();
        assert!(fault.starts_with("score `recall_at_5`: expected"), "{fault}");
        assert_eq!(read_summary_unchecked(&edited, "T", None).unwrap().entries[0].scores["recall_at_5"], 1.5);
        let twice = own(r#", "pearson": 0.1"#);
        assert!(
            read_summary(&twice, "T", None)
                .unwrap_err()
                .to_string()
                .starts_with("expected JSON: expected each")
        );
    }
}
