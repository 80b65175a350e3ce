//! Checks what a card says of the parts of its dataset.

use mteb_base::suggest::hint;
use mteb_card::{Part, PartSource, TaskCard};
use mteb_tasks::needs_training;

/// Names that stand for what a unit is called, in the names of config, split and file.
const STAND_INS: [&str; 2] = ["{subset}", "{split}"];

/// Calls `add` with the path and the message of each fault.
pub fn check_parts(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let parts: Vec<&str> =
        Part::ALL.iter().filter(|part| has_part(card, **part)).map(|part| part.as_str()).collect();
    for (part, source) in &card.dataset.parts {
        if !parts.contains(&part.as_str()) {
            let near = hint(part, parts.iter().copied(), "");
            let (task_type, known) = (card.task_type, parts.join(", "));
            let message =
                format!("expected a part of a task of type {task_type} ({known}), found: {part}{near}");
            add(&["dataset", "parts", part], message);
        }
        check_places(card, part, source, add);
        check_changes(part, source, add);
        check_left_out(part, source, add);
    }
}

/// True if data of the task may have the part.
fn has_part(card: &TaskCard, part: Part) -> bool {
    part.is_of_rankings() == card.task_type.is_ranking() && (part != Part::Train || needs_training(card))
}

fn check_places(card: &TaskCard, part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    for (key, name) in [("config", &source.config), ("split", &source.split), ("file", &source.file)] {
        let Some(name) = name else { continue };
        let rest = STAND_INS.iter().fold(name.clone(), |name, stand_in| name.replace(stand_in, ""));
        if rest.contains(['{', '}']) {
            let message = format!("expected `{}` or none, found: {name}", STAND_INS.join("`, `"));
            add(&["dataset", "parts", part, key], message);
        }
        if name.contains(STAND_INS[0]) && card.subsets.is_empty() {
            let message = "expected subsets for `{subset}`, found none".to_owned();
            add(&["dataset", "parts", part, key], message);
        }
    }
}

fn check_changes(part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    for (column, _) in source.join.iter().filter(|(_, join)| join.columns().is_empty()) {
        let place = ["dataset", "parts", part, "join", column];
        add(&place, "expected at least one column, found none".to_owned());
    }
    if source.grade.is_some() && part != Part::Qrels.as_str() {
        let message = format!("only `qrels` has grades, not `{part}`");
        add(&["dataset", "parts", part, "grade"], message);
    }
    let is_rows = [Part::Rows, Part::Train].iter().any(|rows| rows.as_str() == part);
    for (column, _) in
        source.keep.iter().filter(|(_, values)| !is_rows && values.iter().any(|value| value == STAND_INS[1]))
    {
        let message = format!("only `rows` and `train` are stored by `{{split}}`, not `{part}`");
        add(&["dataset", "parts", part, "keep", column], message);
    }
    if source.unfold && source.columns.is_empty() {
        let message = "expected `columns` with the lists, found none".to_owned();
        add(&["dataset", "parts", part, "unfold"], message);
    }
}

/// Columns that the part does not have: nothing would be left out.
fn check_left_out(part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    let known = Part::from_name(part).map(Part::columns).unwrap_or_default();
    if known.is_empty() {
        return;
    }
    for (index, name) in source.without.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str()))
    {
        let near = hint(name, known.iter().copied(), "");
        let message = format!("expected one of the columns {}, found: {name}{near}", known.join(", "));
        add(&["dataset", "parts", part, "without", &index.to_string()], message);
    }
}
