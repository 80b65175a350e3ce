//! Checks that the columns that a card names or makes are columns of its task type.

use std::collections::BTreeMap;

use mteb_base::suggest::hint;
use mteb_card::TaskType;
use mteb_card::{Dataset, Join, Part, PartSource, TaskCard};
use mteb_tasks::{Gold, facts};

/// Calls `add` with the path and the message of each fault.
pub fn check_columns(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let dataset = &card.dataset;
    if card.task_type.is_ranking() && !dataset.columns.is_empty() {
        let message = format!(
            "a task of type {} has no option `columns` here; name the columns of a part under `[dataset.parts.corpus]`, \
             `[dataset.parts.queries]` or `[dataset.parts.qrels]`",
            card.task_type
        );
        add(&["dataset", "columns"], message);
    } else {
        // What is chosen by may be called otherwise, too.
        let chosen = dataset.keep.keys().chain(dataset.drop.keys()).chain(dataset.once.keys());
        let chosen = chosen.chain(dataset.soft_labels.iter().map(|soft| &soft.column));
        let chosen = chosen.chain(dataset.subsample.iter().filter_map(|subsample| subsample.label.as_ref()));
        let known: Vec<&str> =
            row_columns(card.task_type).into_iter().chain(chosen.map(String::as_str)).collect();
        for name in dataset.columns.keys().filter(|name| !known.contains(&name.as_str())) {
            add(
                &["dataset", "columns", name],
                message(&format!("a task of type {}", card.task_type), RENAMED, name, &known),
            );
        }
        for name in made_for_nothing(dataset.join.keys(), &known, |name| is_read(dataset, name)) {
            let message = message(&format!("a task of type {}", card.task_type), MADE, name, &known);
            add(&["dataset", "join", name], message);
        }
    }
    for (part, source) in &dataset.parts {
        let known = match Part::from_name(part) {
            Some(part) if part.is_of_rankings() => part.columns().to_vec(),
            Some(_) => row_columns(card.task_type),
            // It is refused for its name.
            None => continue,
        };
        for name in source.columns.keys().filter(|name| !known.is_empty() && !known.contains(&name.as_str()))
        {
            let message = message(&format!("the part `{part}`"), RENAMED, name, &known);
            add(&["dataset", "parts", part, "columns", name], message);
        }
        if known.is_empty() {
            continue;
        }
        let is_of_rows = Part::from_name(part).is_some_and(|part| !part.is_of_rankings());
        let is_asked_for =
            |name: &str| is_read_of_part(source, name) || (is_of_rows && is_read(dataset, name));
        for (option, behind, names) in [
            ("number", NUMBERED, source.number.keys().collect::<Vec<_>>()),
            ("join", MADE, source.join.keys().collect()),
        ] {
            for name in made_for_nothing(names.into_iter(), &known, is_asked_for) {
                let message = message(&format!("the part `{part}`"), behind, name, &known);
                add(&["dataset", "parts", part, option, name], message);
            }
        }
    }
}

/// What stands behind `=` in a table whose keys are columns.
const RENAMED: &str = "the file's name for it";
const MADE: &str = "the columns that it is made of";
const NUMBERED: &str = "the columns whose texts identify a row";

/// The names of columns that are made though nothing asks for them: neither the type, whose columns are `known`, nor the card itself
/// further on.
fn made_for_nothing<'a>(
    names: impl Iterator<Item = &'a String>,
    known: &[&str],
    is_read: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &'a String> {
    names.filter(move |name| !known.contains(&name.as_str()) && !is_read(name))
}

/// True if the card makes something else of the column `name` of rows, or chooses rows by it.
fn is_read(dataset: &Dataset, name: &str) -> bool {
    let chosen = dataset.keep.keys().chain(dataset.drop.keys()).chain(dataset.once.keys());
    let chosen = chosen.chain(dataset.soft_labels.iter().map(|soft| &soft.column));
    let mut chosen = chosen.chain(dataset.subsample.iter().filter_map(|subsample| subsample.label.as_ref()));
    chosen.any(|other| other == name) || is_source(&dataset.columns, &dataset.join, name)
}

/// The same of a column of a part.
fn is_read_of_part(source: &PartSource, name: &str) -> bool {
    let mut chosen = source.keep.keys().chain(source.drop.keys()).chain(source.once.keys());
    let mut numbered =
        source.number.iter().filter(|(made, _)| *made != name).flat_map(|(_, columns)| columns);
    chosen.any(|other| other == name)
        || numbered.any(|other| other == name)
        || is_source(&source.columns, &source.join, name)
}

/// True if a column is renamed from `name`, or from a field of it, or another one made of it.
fn is_source(columns: &BTreeMap<String, String>, join: &BTreeMap<String, Join>, name: &str) -> bool {
    let mut joined = join.iter().filter(|(made, _)| *made != name).flat_map(|(_, join)| join.columns());
    columns.values().any(|other| other == name || other.split_once('.').is_some_and(|(head, _)| head == name))
        || joined.any(|other| other == name)
}

fn message(of: &str, behind: &str, found: &str, known: &[&str]) -> String {
    let near = hint(found, known.iter().copied(), "");
    format!(
        "expected a column of {of} ({}) before `=`, and after it {behind}, found: {found}{near}",
        known.join(", ")
    )
}

/// The columns of the rows of a type (protocol 2.1).
fn row_columns(task_type: TaskType) -> Vec<&'static str> {
    let facts = facts(task_type);
    let judged = match facts.gold {
        // Of one row that holds both sides, which belong together.
        Gold::Pairs => Some("gold"),
        Gold::Labels(column) | Gold::Scores(column) | Gold::Values(column) => Some(column),
        Gold::Unknown => None,
        Gold::Judgements => return Vec::new(),
    };
    facts.text_columns.iter().chain(facts.other_columns).copied().chain(judged).collect()
}
