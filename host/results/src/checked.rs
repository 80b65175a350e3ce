//! Reads a result file that somebody may have edited: what cannot be right is named, and counts for
//! nothing.

use std::collections::HashSet;
use std::path::Path;

use mteb_card::TaskType;
use mteb_json::Json;
use mteb_measures::numeric::is_among;

use super::experiments::{check_experiments, contradicted_means};
use super::fault::ResultFault;
use super::identities::{check_identities, doubt_of};
use super::reading::{Number, OLDEST, Version, add_numbers, is_readable, read_old_form, read_text};
use super::{PROTOCOL_VERSION, ResultFile, SubsetScores, bounds};

/// Reads the result file at `path` and checks all that can be checked without its card: its form,
/// its task, the version of its protocol, and every score of a file that this host wrote.
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_checked(path: &Path) -> Result<ResultFile, ResultFault> {
    let task = path.file_stem().unwrap_or_default().to_string_lossy();
    check_text(&read_text(path)?, &task)
}

/// Reads the result file at `path` and checks what concerns all of it; its units are checked by
/// [`unit_faults`] and [`check_unit`].
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_units(path: &Path) -> Result<ResultFile, ResultFault> {
    let task = path.file_stem().unwrap_or_default().to_string_lossy();
    check_whole(&read_text(path)?, &task)
}

/// The same of a file of the task `expected`, whatever the file is called; one of before mteb 1.11
/// has today's form then.
///
/// # Errors
/// What was expected and what was found; without the path.
pub(super) fn read_file_of_any_age(path: &Path, expected: &str) -> Result<ResultFile, ResultFault> {
    let text = read_text(path)?;
    check_whole(&text, expected).or_else(|fault| read_old_form(&text, expected).unwrap_or(Err(fault)))
}

/// The result file of the task `expected` that `text` is, checked as [`read_checked`] does.
///
/// # Errors
/// What was expected and what was found.
pub(super) fn check_text(text: &str, expected: &str) -> Result<ResultFile, ResultFault> {
    let file = check_whole(text, expected)?;
    match unit_faults(&file).into_iter().next() {
        Some(fault) => Err(fault),
        None => Ok(file),
    }
}

/// The result file of the task `expected` that `text` is, of which only what concerns all of it is
/// checked: one unit that cannot be right makes no other one wrong.
///
/// # Errors
/// What was expected and what was found.
pub(super) fn check_whole(text: &str, expected: &str) -> Result<ResultFile, ResultFault> {
    let json = Json::parse_strictly(text)?;
    check_time(json.get("evaluation_time"))?;
    let file = ResultFile::from_json(&json).ok_or(ResultFault::OtherJson)?;
    if file.task_name != expected {
        return Err(ResultFault::OtherTask { expected: expected.to_owned(), found: file.task_name });
    }
    check_version(json.get("mteb_version"), file.is_ours())?;
    Ok(file)
}

/// Why entries of `file` cannot be right, each with its unit, in the order of the file.
pub fn unit_faults(file: &ResultFile) -> Vec<ResultFault> {
    let mut faults = Vec::new();
    for split in &file.splits {
        let twice = subsets_twice(&split.entries);
        let mut seen = HashSet::new();
        for entry in split.entries.iter().filter(|entry| seen.insert(entry.subset.as_str())) {
            let checked = match twice.contains(entry.subset.as_str()) {
                true => Err(ResultFault::TwoEntries),
                false => check_entry(file, &split.split, entry),
            };
            faults.extend(checked.err().map(|fault| fault.of_unit(&split.split, &entry.subset)));
        }
    }
    faults
}

/// Checks the entry of a unit in a file of which only the whole was checked; a unit without one is
/// right.
///
/// # Errors
/// What was expected and what was found.
pub fn check_unit(file: &ResultFile, split: &str, subset: &str) -> Result<(), ResultFault> {
    let Some(found) = file.splits.iter().find(|found| found.split == split) else { return Ok(()) };
    let mut entries = found.entries.iter().filter(|entry| entry.subset == subset);
    match (entries.next(), entries.next()) {
        (Some(entry), None) => check_entry(file, split, entry),
        (Some(_), Some(_)) => Err(ResultFault::TwoEntries),
        (None, _) => Ok(()),
    }
}

/// The subsets that have more than one of the entries.
fn subsets_twice(entries: &[SubsetScores]) -> HashSet<&str> {
    let mut seen = HashSet::new();
    entries.iter().map(|entry| entry.subset.as_str()).filter(|subset| !seen.insert(*subset)).collect()
}

/// The result file that `text` is, of whichever task and whether it can be right or not.
///
/// # Errors
/// What was expected and what was found.
pub(super) fn parse_text(text: &str) -> Result<ResultFile, ResultFault> {
    ResultFile::from_json(&Json::parse(text)?).ok_or(ResultFault::OtherJson)
}

fn check_entry(file: &ResultFile, split: &str, entry: &SubsetScores) -> Result<(), ResultFault> {
    let is_of_others = file.is_of_others(split, &entry.subset);
    if !is_of_others || !names_version(entry) {
        check_version(entry.json.get("mteb_version"), !is_of_others)?;
    }
    check_languages(entry)?;
    if is_of_others {
        check_among(entry)?;
    } else {
        bounds::check_read(&entry.json, own_type(file, split, entry))?;
        check_main_score(entry, None, true)?;
    }
    // A mean of other tasks has no experiments of its own.
    let facts = file.facts(split, &entry.subset).filter(|facts| facts.get("members").is_none());
    let options = facts.and_then(|facts| facts.get("options"));
    let own_options = options.filter(|_| !is_of_others);
    check_experiments(entry, own_options)?;
    own_options.map_or(Ok(()), |options| check_identities(entry, options))
}

/// Why the main score of a unit of this host may not be right, by scores beside it; such a score
/// counts, marked.
pub fn doubt_of_unit(file: &ResultFile, split: &str, entry: &SubsetScores) -> Option<String> {
    if file.is_of_others(split, &entry.subset) {
        return None;
    }
    let options = file.facts(split, &entry.subset)?.get("options")?;
    doubt_of(entry, options)
}

/// Scores of the entry of a unit of this host that do not follow from the experiments beside them,
/// the main score left aside.
pub fn contradicted_measures(file: &ResultFile, split: &str, entry: &SubsetScores) -> Vec<ResultFault> {
    if file.is_of_others(split, &entry.subset) { Vec::new() } else { contradicted_means(entry) }
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
    bounds::check_number("main_score", main)?;
    if let Some((name, task_type)) = meant {
        bounds::check_number_of(task_type, name, main)?;
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

/// Checks that the main score of an entry of others is one of its scores, where it has others and
/// however deep they stand.
fn check_among(entry: &SubsetScores) -> Result<(), ResultFault> {
    let main = entry.main_score();
    let mut scores = Vec::new();
    let others = entry.json.as_map().unwrap_or_default().iter().filter(|(key, _)| key != "main_score");
    others.for_each(|(_, value)| add_numbers(value, &mut scores));
    if main.is_nan() || is_among(main, &scores) {
        return Ok(());
    }
    Err(ResultFault::not_among(main))
}

/// Checks that seconds are a number, also as a text, or absent.
fn check_time(time: Option<&Json>) -> Result<(), ResultFault> {
    let is_number = time.is_none_or(|time| Number::of(time).is_some());
    if is_number { Ok(()) } else { Err(ResultFault::Field("`evaluation_time` to be a number")) }
}

fn check_languages(entry: &SubsetScores) -> Result<(), ResultFault> {
    let languages = entry.json.get("languages").and_then(Json::as_list);
    if languages.is_some_and(|languages| languages.iter().all(|language| language.as_text().is_some())) {
        return Ok(());
    }
    Err(ResultFault::Field("`languages` to be a list of texts"))
}

/// True if the entry names a version, be it one whose files had another form: such files are
/// converted, unit by unit.
fn names_version(entry: &SubsetScores) -> bool {
    let version = entry.json.get("mteb_version").and_then(Json::as_text);
    version.is_some_and(|version| Version::parse_first(version).is_some())
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
