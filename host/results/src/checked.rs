//! Reads a result file that somebody may have edited: what cannot be right is named, and counts for nothing.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use mteb_card::TaskType;
use mteb_json::Json;
use mteb_measures::numeric::is_among;

use super::experiments::check_experiments;
use super::fault::ResultFault;
use super::{PROTOCOL_VERSION, ResultFile, SubsetScores, invariants};

/// The oldest files of the reference whose scores have today's form.
const OLDEST: [u32; 2] = [1, 11];

/// Reads the result file at `path` and checks all that can be checked without its card: its form, its task, the version
/// of its protocol, and every score of a file that this host wrote.
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_checked(path: &Path) -> Result<ResultFile, ResultFault> {
    let task = path.file_stem().unwrap_or_default().to_string_lossy();
    read_checked_of(path, &task)
}

/// Reads the result file at `path` of the task `expected`, whatever the file is called, and checks it as [`read_checked`] does.
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_checked_of(path: &Path, expected: &str) -> Result<ResultFile, ResultFault> {
    let json = Json::parse_strictly(&read_text(path)?)?;
    check_time(json.get("evaluation_time"))?;
    let file = ResultFile::from_json(&json).ok_or(ResultFault::OtherJson)?;
    if file.task_name != expected {
        return Err(ResultFault::OtherTask { expected: expected.to_owned(), found: file.task_name });
    }
    check_version(json.get("mteb_version"), file.is_ours())?;
    for split in &file.splits {
        let mut seen = HashSet::new();
        for entry in &split.entries {
            let is_first = seen.insert(&entry.subset);
            let checked =
                if is_first { check_entry(&file, &split.split, entry) } else { Err(ResultFault::TwoEntries) };
            checked.map_err(|fault| fault.of_unit(&split.split, &entry.subset))?;
        }
    }
    Ok(file)
}

fn check_entry(file: &ResultFile, split: &str, entry: &SubsetScores) -> Result<(), ResultFault> {
    let is_of_others = file.is_of_others(split, &entry.subset);
    check_version(entry.json.get("mteb_version"), !is_of_others)?;
    check_languages(entry)?;
    if is_of_others {
        check_among(entry)?;
    } else {
        invariants::check_read(&entry.json, own_type(file, split, entry))?;
        check_main_score(entry, None, true)?;
    }
    // A mean of other tasks has no experiments of its own.
    let facts = file.facts(split, &entry.subset).filter(|facts| facts.get("members").is_none());
    let options = facts.and_then(|facts| facts.get("options"));
    check_experiments(entry, options.filter(|_| !is_of_others))
}

/// The type of a unit that the host does not bring, as the file says.
fn own_type(file: &ResultFile, split: &str, entry: &SubsetScores) -> Option<TaskType> {
    let options = file.facts(split, &entry.subset)?.get("options")?;
    let named = TaskType::named(options.get("type")?.as_text()?);
    named.filter(|named| matches!(named, TaskType::Own(_)))
}

/// Checks the main score of an entry, which is to be the score called `name`, if that is known.
///
/// # Errors
/// What was expected and what was found.
pub fn check_main_score(
    entry: &SubsetScores,
    meant: Option<(&str, TaskType)>,
    is_ours: bool,
) -> Result<(), ResultFault> {
    let name = meant.map(|(name, _)| name);
    if let Some(other) = entry.json.get("main_score").filter(|found| !may_be_score(found)) {
        return Err(ResultFault::main_score("a number", other.to_python(0)));
    }
    let main = entry.main_score();
    // The reference writes a task without a score as none.
    if main.is_nan() {
        return check_undefined(entry, name.filter(|_| is_ours));
    }
    invariants::check_number("main_score", main)?;
    if let Some((name, task_type)) = meant {
        invariants::check_number_of(task_type, name, main)?;
    }
    let scores = entry.json.as_map().unwrap_or_default().iter().filter(|(key, _)| key != "main_score");
    let mut named = scores.filter(|(key, _)| name.is_none_or(|name| name == key)).peekable();
    // Both are rounded to six decimals.
    let is_main = |(_, score): (&String, f64)| (score - main).abs() <= 1e-6;
    if !is_ours || named.peek().is_none() {
        return Ok(());
    }
    let mut numbers = named.filter_map(|(key, score)| Some((key, score.as_number()?)));
    if numbers.any(is_main) {
        return Ok(());
    }
    let which = name.map_or_else(|| "one of the scores".to_owned(), |name| format!("the score `{name}`"));
    Err(ResultFault::main_score(which, main))
}

/// Checks that a main score without a number stands for a score without one, if it is known which.
fn check_undefined(entry: &SubsetScores, name: Option<&str>) -> Result<(), ResultFault> {
    let meant = name.and_then(|name| Some((name, entry.json.get(name)?.as_number()?)));
    match meant.filter(|(_, score)| !score.is_nan()) {
        Some((name, score)) => Err(ResultFault::Undefined { name: name.to_owned(), score }),
        None => Ok(()),
    }
}

/// A number, or what stands for a score that there is not.
fn may_be_score(json: &Json) -> bool {
    matches!(json, Json::Null) || json.as_number().is_some()
}

/// Reads any JSON file that may not be one.
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_json(path: &Path) -> Result<Json, ResultFault> {
    Ok(Json::parse(&read_text(path)?)?)
}

fn read_text(path: &Path) -> io::Result<String> {
    mteb_files::read_to_string(path, mteb_files::TEXT)
}

/// Checks that the main score of an entry of others is one of its scores, where it has others and however deep they stand.
fn check_among(entry: &SubsetScores) -> Result<(), ResultFault> {
    let main = entry.main_score();
    let mut scores = Vec::new();
    let others = entry.json.as_map().unwrap_or_default().iter().filter(|(key, _)| key != "main_score");
    others.for_each(|(_, value)| add_numbers(value, &mut scores));
    if main.is_nan() || is_among(main, &scores) {
        return Ok(());
    }
    Err(ResultFault::main_score("one of the scores", main))
}

fn add_numbers(value: &Json, scores: &mut Vec<f64>) {
    match value {
        Json::Int(_) | Json::Whole(_) | Json::Float(_) => {
            scores.extend(value.as_number().filter(|number| !number.is_nan()));
        }
        Json::List(cells) => cells.iter().for_each(|cell| add_numbers(cell, scores)),
        Json::Map(entries) => entries.iter().for_each(|(_, value)| add_numbers(value, scores)),
        _ => {}
    }
}

/// Checks that seconds are a number, also as a text, or absent.
fn check_time(time: Option<&Json>) -> Result<(), ResultFault> {
    let is_number = match time {
        None => true,
        Some(Json::Text(text)) => text.trim().parse::<f64>().is_ok(),
        Some(other) => other.as_number().is_some(),
    };
    if is_number { Ok(()) } else { Err(ResultFault::Field("`evaluation_time` to be a number")) }
}

fn check_languages(entry: &SubsetScores) -> Result<(), ResultFault> {
    let languages = entry.json.get("languages").and_then(Json::as_list);
    if languages.is_some_and(|languages| languages.iter().all(|language| language.as_text().is_some())) {
        return Ok(());
    }
    Err(ResultFault::Field("`languages` to be a list of texts"))
}

fn check_version(version: Option<&Json>, is_ours: bool) -> Result<(), ResultFault> {
    match version {
        Some(Json::Text(version)) if version == PROTOCOL_VERSION => Ok(()),
        Some(Json::Text(version)) if !is_ours && is_readable(version) => Ok(()),
        Some(Json::Null) | None if !is_ours => Ok(()),
        Some(Json::Text(version)) => {
            let oldest = || format!("{}.{} or later", OLDEST[0], OLDEST[1]);
            let expected = if is_ours { PROTOCOL_VERSION.to_owned() } else { oldest() };
            Err(ResultFault::Version { expected, found: version.clone() })
        }
        _ => Err(ResultFault::Field("the version of mteb as text")),
    }
}

/// A version of the reference whose scores have today's form, or a range of them.
fn is_readable(version: &str) -> bool {
    version.split('-').all(|version| {
        let mut numbers = version.split('.').map(|number| {
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            number[..digits].parse::<u32>().ok()
        });
        matches!((numbers.next(), numbers.next()), (Some(Some(major)), Some(Some(minor))) if [major, minor] >= OLDEST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_reference_are_told_from_other_texts_and_from_those_with_another_form() {
        for version in ["2.26.24", "1.11.0", "1.12.48-2.0.1", "1.36.0.dev1"] {
            assert!(is_readable(version), "{version}");
        }
        for version in ["1.10.9", "0.9", "2", "two", "", "1.12.48-", "3.x"] {
            assert!(!is_readable(version), "{version}");
        }
    }
}
