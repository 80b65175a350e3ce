//! Whether texts are in the languages that the card names, as far as the detector knows them.

use std::collections::BTreeMap;

use mteb_tasks::{Part, beginning, facts};
use serde::Serialize;

use super::data::{ColumnTexts, SubsetData};
use super::fault::DataFault;
use crate::stats::{CONFIDENCE, is_known, language_of};

/// Confidence from which on a single text in another language is a fault.
const SURE: f64 = 0.9;

/// Texts whose language must be told before a share says anything.
const LEAST: usize = 20;

/// Languages that Indonesian texts are taken for: the detector knows no other relatives of Indonesian, and short, colloquial or
/// regional texts look like one of them.
const LIKE_INDONESIAN: [&str; 2] = ["jav", "tgl"];

/// The languages of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Languages {
    /// Languages that the card names for the column.
    pub expected: Vec<String>,
    /// Languages of the card that the detector does not know; with one of them the column is not checked.
    pub unknown: Vec<String>,
    /// Texts by language.
    pub found: BTreeMap<&'static str, usize>,
    /// Texts that are too short or too mixed to tell.
    pub unsure: usize,
    /// Share of the texts whose language is told that is in an expected language.
    pub share: Option<f64>,
}

/// Tells the languages, and finds texts and columns in another one.
pub fn check(data: &SubsetData, column: &ColumnTexts) -> (Languages, Vec<DataFault>) {
    let mut languages = Languages { expected: expected(data, column), ..Languages::default() };
    languages.unknown = languages.expected.iter().filter(|code| !is_known(code)).cloned().collect();
    let Some(limits) = data.limits.as_ref().filter(|_| languages.unknown.is_empty()) else {
        return (languages, Vec::new());
    };
    let others: Vec<String> = match &limits.other_languages {
        Some(others) => others.clone(),
        None if languages.expected.iter().any(|code| code == "ind") => {
            LIKE_INDONESIAN.map(str::to_owned).to_vec()
        }
        None => Vec::new(),
    };
    let allowed = |code: &str| languages.expected.iter().chain(&others).any(|other| other == code);
    let names = languages.expected.join(" or ");
    let mut faults = Vec::new();
    for at in &column.texts {
        match language_of(&at.text, CONFIDENCE) {
            Some(code) => *languages.found.entry(code).or_default() += 1,
            None => languages.unsure += 1,
        }
        if let Some(code) = language_of(&at.text, SURE).filter(|code| !allowed(code)) {
            let rows = vec![data.place(column.unit, column.part, at.row)];
            let message = format!(
                "expected a text in {names} in `{}`, found {code}: {}",
                column.name,
                beginning(&at.text)
            );
            faults.push(data.fault(column.unit, "language", rows, message, "write it in the language of the card, or name the language in `other_languages` of the card's `[quality]`"));
        }
    }
    let told: usize = languages.found.values().sum();
    let right: usize = languages.expected.iter().filter_map(|code| languages.found.get(code.as_str())).sum();
    languages.share = (told > 0).then(|| right as f64 / told as f64);
    if let Some(share) = languages.share.filter(|share| told >= LEAST && *share < limits.min_language_share) {
        let message = format!(
            "expected {:.0} % of the texts in `{}` of {} in {names}, found {:.0} % of {told}",
            100.0 * limits.min_language_share,
            column.name,
            data.part_name(column.unit, column.part),
            100.0 * share
        );
        let advice = "correct the texts, or the languages of the card";
        faults.push(data.fault(column.unit, "language", Vec::new(), message, advice));
    }
    (languages, faults)
}

/// ISO 639-3 codes of the languages of a column: of a pair of languages those of its side.
fn expected(data: &SubsetData, column: &ColumnTexts) -> Vec<String> {
    let languages = data.card.subset_languages(&column.unit.subset);
    let is_pair = facts(data.card.task_type).sides_have_languages;
    let code = |language: &String| language.split('-').next().unwrap_or_default().to_owned();
    match (languages, column.name) {
        ([first, _], "sentence1") if is_pair && column.part == Part::Rows => vec![code(first)],
        ([_, second], "sentence2") if is_pair && column.part == Part::Rows => vec![code(second)],
        _ => languages.iter().map(code).collect(),
    }
}
