//! Results in a task's file that a run does not score: those that its card does not have (of
//! another task of this name, of splits and subsets that are gone), and those that another plugin
//! has computed under the name and revision of the model, as a file holds those of one of the two.

use std::collections::HashSet;
use std::path::Path;

use mteb_base::suggest::first_of;
use mteb_card::TaskCard;
use mteb_json::Json;
use mteb_registry::{Origin, Selected};
use mteb_results::identity::DataFacts;
use mteb_results::{ResultFile, units};

/// Drops results of another task type: a mean over them and those of the card would be meaningless.
pub fn leave_out_other_types(file: &mut ResultFile, card: &TaskCard) {
    for (split, subset) in of_other_types(file, card) {
        file.remove(&split, &subset);
    }
}

/// Leaves out the results of another revision of the data than that of the card: the file would
/// call them results of this one. Those of others say their revision themselves, and files of one's
/// own are known by their content.
pub fn leave_out_other_revisions(file: &mut ResultFile, card: &TaskCard) {
    if !file.is_ours() || file.dataset_revision == card.revision() {
        return;
    }
    let is_local = |facts: Option<&Json>| {
        let data = facts.and_then(|facts| DataFacts::from_json(facts.get("data")?));
        matches!(data, Some(DataFacts::Local(_)))
    };
    let is_other = |(split, subset): &(&str, &str)| {
        !file.is_of_others(split, subset) && !is_local(file.facts(split, subset))
    };
    let others: Vec<(String, String)> =
        units(file).filter(is_other).map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect();
    for (split, subset) in others {
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

/// A line about results that the user's own card no longer has; `None` if there are none.
///
/// Cards of registries are not compared, because a card may have only some of the subsets of
/// another one.
pub fn unknown_units_warning(selected: &Selected, file: &ResultFile) -> Option<String> {
    let card = &selected.entry.card;
    if !matches!(selected.entry.origin, Origin::File(_)) {
        return None;
    }
    let asked: HashSet<(&str, &str)> = card.units().collect();
    let gone: Vec<String> = units(file)
        .filter(|unit| !asked.contains(unit))
        .map(|(split, subset)| format!("split {split}, subset {subset}"))
        .collect();
    if gone.is_empty() {
        return None;
    }
    let gone = first_of(&gone, 1, "", " and ");
    Some(format!(
        "{}: there are results of {gone}, which the card does not have; `leaderboard` counts them unless it is \
         given the card with `--registry`; to drop them, remove {}.json from the results and run again",
        card.name, card.name
    ))
}

/// A line about results in `file`, in the folder of the model `now`, that another plugin has made:
/// a run of either replaces them. `None` if there are none, or nobody knows which plugin made them.
pub fn other_plugin_warning(file: &ResultFile, now: &Json, folder: &Path) -> Option<String> {
    let own = plugin(now)?;
    let mut models = units(file).filter_map(|(split, subset)| file.model(split, subset));
    let other = models.find_map(|model| plugin(model).filter(|found| *found != own))?;
    Some(format!(
        "{}: expected results of the plugin {own}, found results of the plugin {other} for a model of the same name and \
         revision, and a file holds one of the two; `--name ORGANISATION/MODEL` calls a model in Python otherwise, \
         `--output-folder DIR` keeps the results of this run elsewhere",
        folder.display()
    ))
}

fn plugin(model: &Json) -> Option<&str> {
    model.get("plugin").and_then(Json::as_text)
}
