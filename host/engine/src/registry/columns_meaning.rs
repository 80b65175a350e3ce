//! Checks that the columns that a card names are columns of its task type.

use mteb_card::vocabulary::TaskType;
use mteb_card::{Part, TaskCard};
use mteb_tasks::{Gold, facts};

use crate::suggest::hint;

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
                message(&format!("a task of type {}", card.task_type), name, &known),
            );
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
            let message = message(&format!("the part `{part}`"), name, &known);
            add(&["dataset", "parts", part, "columns", name], message);
        }
    }
}

fn message(of: &str, found: &str, known: &[&str]) -> String {
    let near = hint(found, known.iter().copied(), "");
    format!(
        "expected a column of {of} ({}) before `=`, and behind it the file's name for it, found: {found}{near}",
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
        Gold::Judgements => return Vec::new(),
    };
    facts.text_columns.iter().copied().chain(judged).collect()
}
