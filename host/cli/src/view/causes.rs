//! Failures by their cause: what a hundred units met is said once.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use mteb_engine::run::{RunReport, TaskReport, UnitReport};

use crate::exit::Exit;
use crate::output;

/// Tasks that a line names, and units beside the first.
const NAMED: usize = 3;

/// A unit that failed, and why.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// Its task.
    pub task: &'a str,
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
    /// Why.
    pub cause: &'a str,
}

/// What was said of a run already: neither a cause nor a warning is said twice.
#[derive(Debug, Default)]
pub struct AnnouncedLines {
    causes: Mutex<HashSet<String>>,
    warnings: Mutex<HashSet<(String, String)>>,
}

impl AnnouncedLines {
    /// A line for each cause of failures of a task that was not said before; from now on it was.
    pub fn new_causes(&self, task: &TaskReport) -> Vec<String> {
        let mut announced = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        let failures =
            task.failures().map(|(unit, cause)| (unit.split.as_str(), unit.subset.as_str(), cause));
        let lines = group_by_text(failures).into_iter();
        let new = lines.filter(|(cause, _)| announced.insert((*cause).to_owned()));
        new.map(|(cause, units)| format!("{}: {cause}", place(&task.task, &units))).collect()
    }

    /// A line for each warning on units of a task that was not said of the task before; from now on it was.
    pub fn new_warnings(&self, task: &TaskReport) -> Vec<String> {
        let mut announced = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let of_unit = |unit: &'_ UnitReport| -> Vec<(String, String, String)> {
            let warnings = unit.warnings.iter();
            warnings.map(|text| (unit.split.clone(), unit.subset.clone(), text.clone())).collect()
        };
        let all: Vec<_> = task.units.iter().flat_map(of_unit).collect();
        let warnings =
            all.iter().map(|(split, subset, text)| (split.as_str(), subset.as_str(), text.as_str()));
        let lines = group_by_text(warnings).into_iter();
        let new = lines.filter(|(text, _)| announced.insert((task.task.clone(), (*text).to_owned())));
        new.map(|(text, units)| format!("{}: {text}", place(&task.task, &units))).collect()
    }
}

/// A split and a subset.
type Names<'a> = (&'a str, &'a str);

/// The units that each text is said of, given as split, subset and text; in the order in which the texts were met. Texts that differ
/// in the names of their units alone are one: the first.
fn group_by_text<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Vec<(&'a str, Vec<Names<'a>>)> {
    let texts: Vec<(&str, &str, &str)> = texts.collect();
    let names: HashSet<&str> = texts.iter().flat_map(|(split, subset, _)| [*split, *subset]).collect();
    let mut lines: Vec<(&str, Vec<Names>)> = Vec::new();
    let (mut places, mut alike) = (HashMap::<&str, usize>::new(), HashMap::<String, usize>::new());
    for (split, subset, text) in texts {
        let unit = (split, subset);
        let place = *places.entry(text).or_insert_with(|| {
            let form = mark_names(text, &names);
            // What a unit itself says of two names is two things.
            let found = alike.get(&form).filter(|place| lines[**place].1.last() != Some(&unit));
            found.copied().unwrap_or_else(|| {
                lines.push((text, Vec::new()));
                alike.insert(form, lines.len() - 1);
                lines.len() - 1
            })
        });
        let units = &mut lines[place].1;
        if units.last() != Some(&unit) {
            units.push(unit);
        }
    }
    lines
}

/// How messages call some units of a task.
fn place(task: &str, units: &[Names]) -> String {
    let (split, subset) = units.first().copied().unwrap_or_default();
    let others = units.get(1..).unwrap_or_default();
    let name = |(other, of): &Names| match (*other == split, *of == subset) {
        (true, _) => (*of).to_owned(),
        (false, true) => (*other).to_owned(),
        (false, false) => format!("{other} {of}"),
    };
    let more = match others.len() {
        0 => String::new(),
        count => {
            let names: Vec<String> = others.iter().take(NAMED).map(name).collect();
            let unnamed = if count > NAMED { ", …" } else { "" };
            format!(" and {} ({}{unnamed})", output::count(count, "more unit"), names.join(", "))
        }
    };
    format!("{task}, split {split}, subset {subset}{more}")
}

/// Says why units of a task failed, each given as split, subset and reason; how a command ends that met no more than these.
pub fn say_failed<S: AsRef<str>>(task: &str, failed: &[(S, S, String)]) -> Exit {
    let lines = failed.iter().map(|(split, subset, why)| (split.as_ref(), subset.as_ref(), why.as_str()));
    notes_of_task(task, lines).iter().for_each(output::error);
    if failed.is_empty() { Exit::Done } else { Exit::Failed }
}

/// A line for each note on the units of a task, given as split, subset and text.
pub fn notes_of_task<'a>(
    task: &str,
    notes: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Vec<String> {
    group_by_text(notes).into_iter().map(|(text, units)| format!("{}: {text}", place(task, &units))).collect()
}

/// Of each cause that several tasks met a line with those of which it was not said.
pub fn further_tasks(report: &RunReport) -> Vec<String> {
    let failures: Vec<Failure> = report
        .failures()
        .map(|(task, unit, cause)| Failure {
            task: &task.task,
            split: &unit.split,
            subset: &unit.subset,
            cause,
        })
        .collect();
    group_by_cause(&failures).iter().filter_map(|same| describe_further(same)).collect()
}

fn describe_further(same: &[&Failure]) -> Option<String> {
    let first = same.first()?;
    let others: Vec<&&Failure> = same.iter().filter(|other| other.task != first.task).collect();
    let tasks = tasks_of(others.iter().map(|other| other.task));
    let units = output::count(others.len(), "unit");
    let Failure { task, split, subset, .. } = first;
    (!others.is_empty())
        .then(|| format!("{units} of {tasks}: same as {task}, split {split}, subset {subset}"))
}

/// The first of some tasks, and how many more there are.
fn tasks_of<'a>(tasks: impl Iterator<Item = &'a str>) -> String {
    let mut tasks: Vec<&str> = tasks.collect();
    tasks.dedup();
    let more = tasks.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", tasks.into_iter().take(NAMED).collect::<Vec<_>>().join(", "))
}

/// A line a cause, in the order in which they were met.
pub fn list_causes(failures: &[Failure]) -> Vec<String> {
    group_by_cause(failures).iter().map(|same| line(same)).collect()
}

fn group_by_cause<'a, 'b>(failures: &'b [Failure<'a>]) -> Vec<Vec<&'b Failure<'a>>> {
    let mut order: Vec<Vec<&Failure>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for failure in failures {
        let place = *places.entry(failure.cause).or_insert(order.len());
        match order.get_mut(place) {
            Some(same) => same.push(failure),
            None => order.push(vec![failure]),
        }
    }
    order
}

fn line(same: &[&Failure]) -> String {
    match same {
        [] => String::new(),
        [Failure { task, split, subset, cause }] => {
            format!("{task}, split {split}, subset {subset}: {cause}")
        }
        [first, ..] => {
            let tasks = tasks_of(same.iter().map(|failure| failure.task));
            format!("{} units of {tasks}: {}", same.len(), first.cause)
        }
    }
}

/// What stands for a name; no message holds it.
const MARK: char = '\0';

/// `text` with a mark in place of each of the `names` of splits and subsets.
fn mark_names(text: &str, names: &HashSet<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text, |letter| letter.is_alphanumeric() || letter == '-' || letter == '_') {
        if names.contains(word) {
            out.push(MARK);
            continue;
        }
        // `ind-corpus` holds the name of a subset, too.
        for piece in words(word, char::is_alphanumeric) {
            if names.contains(piece) { out.push(MARK) } else { out.push_str(piece) }
        }
    }
    out
}

/// The words of `text` and what stands between them.
fn words(text: &str, is_of_word: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = is_of_word(rest.chars().next()?);
        let end = rest.find(|letter| is_of_word(letter) != is_word).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure<'a>(task: &'a str, cause: &'a str) -> Failure<'a> {
        Failure { task, split: "test", subset: "ind", cause }
    }

    #[test]
    fn a_cause_is_one_line_whatever_its_units() {
        let failures = [
            failure("A", "no network"),
            failure("B", "no column `text`"),
            failure("B", "no network"),
            failure("C", "no network"),
            failure("D", "no network"),
        ];
        assert_eq!(
            list_causes(&failures),
            ["4 units of A, B, C and 1 more: no network", "B, split test, subset ind: no column `text`"]
        );
        let failures: Vec<&Failure> = failures.iter().filter(|one| one.cause == "no network").collect();
        assert_eq!(
            describe_further(&failures).unwrap(),
            "3 units of B, C, D: same as A, split test, subset ind"
        );
        assert_eq!(describe_further(&failures[..1]), None);
    }

    #[test]
    fn a_note_on_several_units_is_one_line() {
        let notes = [("test", "ind", "empty"), ("dev", "ind", "odd"), ("test", "jav", "empty")];
        let expected =
            ["T, split test, subset ind and 1 more unit (jav): empty", "T, split dev, subset ind: odd"];
        assert_eq!(notes_of_task("T", notes.into_iter()), expected);
    }

    #[test]
    fn a_note_that_differs_by_the_names_of_its_units_is_one_line_with_the_first_of_them() {
        let texts: Vec<(String, String)> = ["ind", "jav", "sun", "min", "ban"]
            .map(|subset| (subset.to_owned(), format!("no file data/{subset}.csv")))
            .into();
        let notes = texts.iter().map(|(subset, text)| ("test", subset.as_str(), text.as_str()));
        let expected = "T, split test, subset ind and 4 more units (jav, sun, min, …): no file data/ind.csv";
        assert_eq!(notes_of_task("T", notes), [expected]);
        let notes = [("test", "ind", "no ind"), ("test", "ind", "no jav"), ("test", "jav", "no sun")];
        let expected = [
            "T, split test, subset ind: no ind",
            "T, split test, subset ind: no jav",
            "T, split test, subset jav: no sun",
        ];
        assert_eq!(notes_of_task("T", notes.into_iter()), expected);
        let notes = [("test", "ind", "no ind"), ("dev", "jav", "no jav"), ("dev", "ind", "no ind")];
        let expected = "T, split test, subset ind and 2 more units (dev jav, dev): no ind";
        assert_eq!(notes_of_task("T", notes.into_iter()), [expected]);
    }

    #[test]
    fn texts_that_differ_by_their_own_names_are_alike() {
        let names = HashSet::from(["ind", "jav", "ind-eng"]);
        let of = |text: &str| mark_names(text, &names);
        assert_eq!(of("data/ind/test.csv: no column `a`"), of("data/jav/test.csv: no column `a`"));
        assert_eq!(
            of("found ind.csv, jav.csv; move `ind.csv`"),
            of("found ind.csv, jav.csv; move `jav.csv`")
        );
        assert_eq!(of("ind-corpus, ind-eng"), "\0-corpus, \0");
        assert_eq!(of("indeed, line 3"), "indeed, line 3");
        assert_ne!(of("data/ind/test.csv, line 3"), of("data/jav/test.csv, line 4"));
    }
}
