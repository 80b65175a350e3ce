//! What a plan was made for, and what of it is otherwise on a machine that runs a shard of it.

use std::collections::{BTreeMap, HashSet};

use mteb_json::Json;
use mteb_registry::{Selected, option_difference, options_of_unit};
use mteb_results::identity::{DataFacts, model_differences};
use mteb_results::{FirstStage, UnitName};
use mteb_shards::{PlannedTask, ShardPlan};
use mteb_source::DataSources;
use mteb_tasks::evaluator;
use mteb_workers::plugins::Catalog;
use serde_json::Value;

/// The facts of a model, and of the first stage whose rankings it orders anew, as a plan holds them. Where no device was named, each
/// machine takes its own.
pub fn pinned_model(model: (&Json, Option<&FirstStage>), is_device_named: bool) -> Value {
    let mut facts = with_first_stage(model);
    if !is_device_named {
        facts.remove("device");
    }
    to_value(&facts)
}

fn with_first_stage((facts, first_stage): (&Json, Option<&FirstStage>)) -> Json {
    let mut facts = facts.clone();
    if let Some(first) = first_stage {
        facts.set("first_stage", first.facts());
    }
    facts
}

/// The task packs of `tasks`, each with the hash of what it is made of.
pub fn plugins_of(tasks: &[Selected], catalog: &Catalog) -> BTreeMap<String, String> {
    let packs = tasks.iter().filter_map(|task| task.entry.card.dataset.plugin.as_deref());
    packs.filter_map(|pack| Some((pack.to_owned(), catalog.plugin(pack)?.code()))).collect()
}

/// What of the `plan` is otherwise here, a line each: its model is to be one with these facts, behind this first stage, its tasks are to be these with data,
/// and the data of the units that the shard scores is to be what it was.
pub fn check_pins(
    (plan, shard): (&ShardPlan, usize),
    tasks: &[Selected],
    model: (&Json, Option<&FirstStage>),
    catalog: &Catalog,
    sources: &mut DataSources,
) -> Vec<String> {
    let mut faults: Vec<String> = model_differences(&from_value(&plan.model), &with_first_stage(model))
        .into_iter()
        .map(|what| format!("model: {what}"))
        .collect();
    let plugins = plugins_of(tasks, catalog);
    for (name, planned) in &plan.plugins {
        let found = plugins.get(name).map_or("none", String::as_str);
        if found != planned {
            faults.push(format!("plugin {name}: was {planned}, is {found}"));
        }
    }
    for task in &plan.tasks {
        if task.units.iter().any(|unit| unit.is_of(shard)) {
            check_task((task, shard, model.1), tasks, sources, &mut faults);
        }
    }
    faults.dedup();
    faults
}

/// Checks a task of which the shard scores some units.
fn check_task(
    (task, shard, first_stage): (&PlannedTask, usize, Option<&FirstStage>),
    tasks: &[Selected],
    sources: &mut DataSources,
    faults: &mut Vec<String>,
) {
    let Some(selected) = tasks.iter().find(|selected| selected.entry.card.name == task.task) else {
        return faults.push(format!("task {}: was chosen, is missing", task.task));
    };
    let card = &selected.entry.card;
    let chosen: HashSet<(&str, &str)> = selected.units().collect();
    // Draws of one unit continue those of others.
    let draws = evaluator(card.task_type).draws();
    let mut said = None;
    for unit in task.units.iter().filter(|unit| draws || unit.is_of(shard)) {
        let place = (unit.split.as_str(), unit.subset.as_str());
        if !chosen.contains(&place) {
            faults.push(format!(
                "task {}, split {}, subset {}: was chosen, is missing",
                task.task, place.0, place.1
            ));
            continue;
        }
        let now = options_of_unit(card, &unit.subset);
        let planned = task.options.get(unit.options).filter(|planned| **planned != to_value(&now));
        let change = planned.and_then(|planned| option_difference(&from_value(planned), &now, place));
        if let Some(change) = change.filter(|change| said.as_ref() != Some(change)) {
            faults.push(format!("task {}, options: {change}", task.task));
            said = Some(change);
        }
        if let Some(first) = first_stage.filter(|_| unit.first_stage.is_some()) {
            let name = UnitName { task: &task.task, split: place.0, subset: place.1 };
            let (planned, found) = (unit.first_stage.as_deref().unwrap_or_default(), first.hash(name));
            if !found.as_ref().is_ok_and(|found| found == planned) {
                let found = found.unwrap_or_else(|_| "none".to_owned());
                faults
                    .push(format!("{name}, rankings of the first stage: was SHA-256 {planned}, is {found}"));
            }
        }
        let Some(planned) = DataFacts::from_json(&from_value(&unit.data)) else { continue };
        // What cannot be read fails its unit, in the words of a run.
        let found = sources.facts(&selected.entry, place.0, place.1, Some(&planned));
        if let Some(change) = found.ok().and_then(|found| planned.difference(&found)) {
            faults.push(format!("task {}, subset {}, data: {change}", task.task, unit.subset));
        }
    }
}

/// The same in the other form of JSON.
pub fn to_value(json: &Json) -> Value {
    serde_json::from_str(&json.to_python(0)).unwrap_or(Value::Null)
}

/// The same in the other form of JSON.
pub fn from_value(value: &Value) -> Json {
    Json::from(value.clone())
}
