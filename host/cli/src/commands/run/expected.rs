//! The scores that cards expect of a model: `run --check-expected` compares with them, `--write-expected` writes them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use mteb_card::{Expected, TaskCard};
use mteb_engine::run::{Comparison, RunReport, TaskReport};
use mteb_registry::{Origin, Selected, is_fetched};
use toml::{Table, Value};

use crate::exit::Exit;
use crate::output;

/// The table of a card that holds the expected scores.
const EXPECTED: &str = "expected";

/// Prints the scores that differ from the expected ones.
pub fn say_comparison(comparison: &Comparison, model: &str) -> Exit {
    let Comparison { compared, differences } = comparison;
    if *compared == 0 {
        output::warn(format!(
            "nothing to compare: the cards of these tasks have no expected score of {model}; `--write-expected` writes them"
        ));
        return Exit::Done;
    }
    if differences.is_empty() {
        output::say(format!("{compared} of {compared} expected scores were reached"));
        return Exit::Done;
    }
    output::say(format!("{} of {compared} expected scores were not reached:", differences.len()));
    for difference in differences {
        output::say(format!("  {difference}"));
    }
    Exit::Failed
}

/// Writes the scores of `report` into the cards of `tasks` and prints which cards it changed. Cards
/// in the program or in a pack have no file and cannot be changed.
pub fn write_expected(report: &RunReport, tasks: &[Selected]) -> Exit {
    let mut exit = Exit::Done;
    for task in report.tasks.iter().filter(|task| task.score().is_some()) {
        let Some(selected) = tasks.iter().find(|selected| selected.entry.card.name == task.task) else {
            continue;
        };
        let Origin::File(path) = &selected.entry.origin else {
            output::error(format!(
                "{}: expected a card in a file for `--write-expected`, found one of {}; copy it to a file first",
                task.task,
                selected.entry.origin.label()
            ));
            exit = Exit::Failed;
            continue;
        };
        if is_fetched(path) {
            output::error(format!(
                "{}: expected a card that may change for `--write-expected`, found one of a commit; write them in a copy of \
                 the repository",
                task.task
            ));
            exit = Exit::Failed;
            continue;
        }
        match write(path, &selected.entry.card, &report.model, task) {
            Ok(()) => output::say(format!("{}: now has the scores of {}", path.display(), report.model)),
            Err(message) => {
                output::error(format!("{}: {message}", path.display()));
                exit = Exit::Failed;
            }
        }
    }
    exit
}

fn write(path: &Path, card: &TaskCard, model: &str, task: &TaskReport) -> Result<(), CardError> {
    let text = std::fs::read_to_string(path).map_err(CardError::Unreadable)?;
    let text = replace_expected(&text, model, &merge_expected(card.expected.get(model), task))?;
    mteb_files::write(path, text.as_bytes()).map_err(CardError::Unwritable)
}

/// The scores of a task, together with those scores of its card that this run did not compute.
fn merge_expected(former: Option<&Expected>, task: &TaskReport) -> Expected {
    let mut splits: BTreeMap<String, BTreeMap<String, f64>> =
        former.map(|former| former.splits.clone()).unwrap_or_default();
    for unit in &task.units {
        if let Some(score) = unit.outcome.score().filter(|score| score.is_finite()) {
            let rounded = (score * 1e6).round() / 1e6;
            splits.entry(unit.split.clone()).or_default().insert(unit.subset.clone(), rounded);
        }
    }
    let source = format!("mteb-host {}", env!("CARGO_PKG_VERSION"));
    Expected { source, tolerance: former.map_or(0.0005, |former| former.tolerance), splits }
}

/// The card with the scores of `model` replaced; everything else stays exactly as it was written.
fn replace_expected(text: &str, model: &str, scores: &Expected) -> Result<String, CardError> {
    let before = read(text)?;
    let lines: Vec<&str> = text.lines().collect();
    let headers = headers(&lines);
    let header = headers.iter().position(|(_, name)| name.as_slice() == [EXPECTED, model]);
    let block = block(model, scores);
    let written = match header {
        Some(at) => {
            let begin = headers[at].0;
            let next = headers.get(at + 1).map_or(lines.len(), |(line, _)| *line);
            // Comments and empty lines before the next table belong to that table.
            let is_own = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
            let end = begin + lines[begin..next].iter().rposition(is_own).map_or(0, |last| last + 1);
            let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            joined(&lines[..begin]) + &block + &joined(&lines[end..])
        }
        None => format!("{}\n\n{block}", text.trim_end()),
    };
    let by_hand = || CardError::ByHand { block: block.clone() };
    let after = read(&written).map_err(|_| by_hand())?;
    let without = |mut card: Table| {
        if let Some(Value::Table(all)) = card.get_mut(EXPECTED) {
            all.remove(model);
            if all.is_empty() {
                card.remove(EXPECTED);
            }
        }
        card
    };
    if without(before) == without(after) { Ok(written) } else { Err(by_hand()) }
}

fn read(text: &str) -> Result<Table, CardError> {
    toml::from_str(text).map_err(|error| CardError::NoToml(Box::new(error)))
}

/// Why the scores of a run cannot be written into a card.
#[derive(Debug, thiserror::Error)]
enum CardError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It is no TOML.
    #[error("expected TOML: {0}")]
    NoToml(#[source] Box<toml::de::Error>),
    /// Its tables have a form that only a person can edit safely.
    #[error("expected a place for the scores, found tables that must be edited by hand; add this:\n{block}")]
    ByHand {
        /// The table with the scores.
        block: String,
    },
    /// It cannot be written.
    #[error("cannot be written: {0}")]
    Unwritable(#[source] io::Error),
}

/// The lines that begin a table, each with the table's name.
fn headers(lines: &[&str]) -> Vec<(usize, Vec<String>)> {
    let mut is_inside = false;
    let mut headers = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let was_inside = is_inside;
        for quotes in ["\"\"\"", "'''"] {
            is_inside ^= line.matches(quotes).count() % 2 == 1;
        }
        if was_inside || is_inside || !line.trim_start().starts_with('[') {
            continue;
        }
        if let Ok(table) = toml::from_str::<Table>(line) {
            headers.push((number, name(&table)));
        }
    }
    headers
}

/// The name of the innermost of nested tables.
fn name(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let mut inner = Some(table);
    while let Some((key, value)) = inner.and_then(|table| table.iter().next()) {
        names.push(key.clone());
        inner = value.as_table();
    }
    names
}

fn block(model: &str, scores: &Expected) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = format!(
        "[{EXPECTED}.{}]\nsource = {}\ntolerance = {:?}\n",
        quoted(model),
        quoted(&scores.source),
        scores.tolerance
    );
    for (split, subsets) in &scores.splits {
        let subsets: Vec<String> =
            subsets.iter().map(|(subset, score)| format!("{} = {score:?}", key(subset))).collect();
        text.push_str(&format!("{} = {{ {} }}\n", key(split), subsets.join(", ")));
    }
    text
}

/// A key of TOML, in quotes where it needs them.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = "schema = 1\nname = \"A\" # mine\n\n[expected.\"a/b\"]\nsource = \"by hand\"\ntest = { default = 0.1 }\n\n\
                        # Limits.\n[quality]\nrecords = { test = 1 }\n";

    fn scores(score: f64) -> Expected {
        let of_subset = BTreeMap::from([("default".to_owned(), score)]);
        Expected {
            source: "here".to_owned(),
            tolerance: 0.01,
            splits: BTreeMap::from([("test".to_owned(), of_subset)]),
        }
    }

    #[test]
    fn scores_take_the_place_of_those_of_the_same_model_and_all_else_stays() {
        let written = replace_expected(CARD, "a/b", &scores(0.25)).unwrap();
        let block = "[expected.\"a/b\"]\nsource = \"here\"\ntolerance = 0.01\ntest = { default = 0.25 }\n";
        let old = "[expected.\"a/b\"]\nsource = \"by hand\"\ntest = { default = 0.1 }\n";
        assert_eq!(written, CARD.replace(old, block));
    }

    #[test]
    fn scores_of_another_model_are_added() {
        let written = replace_expected(CARD, "c", &scores(1.0)).unwrap();
        assert!(written.starts_with(CARD) && written.ends_with("test = { default = 1.0 }\n"), "{written}");
    }

    #[test]
    fn a_card_that_only_a_person_can_change_is_left_alone() {
        let inline = "name = \"A\"\nexpected = { \"a/b\" = { source = \"x\" } }\n";
        assert!(replace_expected(inline, "a/b", &scores(1.0)).unwrap_err().to_string().contains("by hand"));
        let text = "description = \"\"\"\n[expected.\"a/b\"]\n\"\"\"\n";
        assert!(replace_expected(text, "a/b", &scores(1.0)).unwrap().starts_with(text));
    }
}
