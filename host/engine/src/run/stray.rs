//! Results in a task's file that its card does not have: those of another task of this name, and of splits and subsets that are gone.

use std::collections::HashSet;

use mteb_card::TaskCard;

use crate::registry::{Origin, Selected};
use crate::results::{Json, ResultFile};

/// Leaves out the results that are of another type of task: together with those of the card they would be a mean of nothing.
pub fn leave_out_other_types(file: &mut ResultFile, card: &TaskCard) {
    for (split, subset) in of_other_types(file, card) {
        file.remove(&split, &subset);
    }
}

fn of_other_types(file: &ResultFile, card: &TaskCard) -> Vec<(String, String)> {
    let is_other = |facts: &Json| {
        let found = facts.get("options").and_then(|options| options.get("type")).and_then(Json::as_text);
        found.is_some_and(|found| found != card.task_type.as_str())
    };
    let splits = file.host.get("units").and_then(Json::as_map).unwrap_or_default();
    let mut units = Vec::new();
    for (split, subsets) in splits {
        let others = subsets.as_map().unwrap_or_default().iter().filter(|(_, facts)| is_other(facts));
        units.extend(others.map(|(subset, _)| (split.clone(), subset.clone())));
    }
    units
}

/// What there is to say of results that the card of a user's own has no longer; `None` where there are none.
///
/// Cards of registries are not asked: one of them may have some of the subsets of another.
pub fn stray(selected: &Selected, file: &ResultFile) -> Option<String> {
    let card = &selected.entry.card;
    if !matches!(selected.entry.origin, Origin::File(_)) {
        return None;
    }
    let units: HashSet<(&str, &str)> = card.units().collect();
    let gone: Vec<String> = found(file)
        .filter(|unit| !units.contains(unit))
        .map(|(split, subset)| format!("split {split}, subset {subset}"))
        .collect();
    let first = gone.first()?;
    let more = if gone.len() > 1 { format!(" and {} more", gone.len() - 1) } else { String::new() };
    Some(format!(
        "{}: results are there of {first}{more}, which the card does not have; `leaderboard` counts them unless it is given the \
         card with `--registry`; remove {}.json from the results to be rid of them, and run again",
        card.name, card.name
    ))
}

fn found(file: &ResultFile) -> impl Iterator<Item = (&str, &str)> {
    file.splits
        .iter()
        .flat_map(|split| split.entries.iter().map(|entry| (split.split.as_str(), entry.subset.as_str())))
}
