//! Results in a task's file that its card does not have: those of another task of this name, and of splits and subsets that are gone.

use mteb_card::TaskCard;

use crate::registry::{Origin, Selected};
use crate::results::{Json, ResultFile};

/// Leaves out the results that are of another type of task: together with those of the card they would be a mean of nothing.
pub fn leave_out_other_types(file: &mut ResultFile, card: &TaskCard) {
    for (split, subset) in units(file) {
        let options = file.facts(&split, &subset).and_then(|facts| facts.get("options"));
        let found = options.and_then(|options| options.get("type")).and_then(Json::as_text);
        if found.is_some_and(|found| found != card.task_type.as_str()) {
            file.remove(&split, &subset);
        }
    }
}

/// What there is to say of results that the card of a user's own has no longer; `None` where there are none.
///
/// Cards of registries are not asked: one of them may have some of the subsets of another.
pub fn stray(selected: &Selected, file: &ResultFile) -> Option<String> {
    let card = &selected.entry.card;
    if !matches!(selected.entry.origin, Origin::File(_)) {
        return None;
    }
    let is_there = |split: &str, subset: &str| card.units().any(|unit| unit == (split, subset));
    let gone: Vec<String> = units(file)
        .into_iter()
        .filter(|(split, subset)| !is_there(split, subset))
        .map(|(split, subset)| format!("split {split}, subset {subset}"))
        .collect();
    let first = gone.first()?;
    let more = if gone.len() > 1 { format!(" and {} more", gone.len() - 1) } else { String::new() };
    Some(format!(
        "{}: results are there of {first}{more}, which the card does not have; `leaderboard` counts them unless it is given the \
         card with `--registry`",
        card.name
    ))
}

fn units(file: &ResultFile) -> Vec<(String, String)> {
    let mut units = Vec::new();
    for split in &file.splits {
        units.extend(split.entries.iter().map(|entry| (split.split.clone(), entry.subset.clone())));
    }
    units
}
