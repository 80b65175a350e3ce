//! What a plan was made for, and what of it is otherwise on a machine that runs a shard of it.

use std::collections::BTreeMap;

use mteb_json::Json;
use mteb_registry::{Selected, option_difference, options_of_unit};
use mteb_results::identity::{DataFacts, model_differences};
use mteb_shards::ShardPlan;
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;
use serde_json::Value;

/// The facts of a model as a plan holds them. Where no device was named, each machine takes its own.
pub fn pinned_model(facts: &Json, is_device_named: bool) -> Value {
    let mut facts = facts.clone();
    if !is_device_named {
        facts.remove("device");
    }
    to_value(&facts)
}

/// The task packs of `tasks`, each with the hash of what it is made of.
pub fn plugins_of(tasks: &[Selected], catalog: &Catalog) -> BTreeMap<String, String> {
    let packs = tasks.iter().filter_map(|task| task.entry.card.dataset.plugin.as_deref());
    packs.filter_map(|pack| Some((pack.to_owned(), catalog.plugin(pack)?.code()))).collect()
}

/// What of the `plan` is otherwise here, a line each: its model is to be one with these `facts`, its tasks are to be these with data,
/// and the data of the units that the shard scores is to be what it was.
pub fn check_pins(
    (plan, shard): (&ShardPlan, usize),
    tasks: &[Selected],
    facts: &Json,
    catalog: &Catalog,
    sources: &mut DataSources,
) -> Vec<String> {
    let mut faults: Vec<String> = model_differences(&from_value(&plan.model), facts)
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
        let Some(selected) = tasks.iter().find(|selected| selected.entry.card.name == task.task) else {
            faults.push(format!("task {}: was chosen, is not here", task.task));
            continue;
        };
        let card = &selected.entry.card;
        let mut said = None;
        for unit in &task.units {
            let place = (unit.split.as_str(), unit.subset.as_str());
            let planned = task.options.get(unit.options).map(from_value).unwrap_or(Json::Null);
            let options = option_difference(&planned, &options_of_unit(card, &unit.subset), place);
            if let Some(change) = options.filter(|change| said.as_ref() != Some(change)) {
                faults.push(format!("task {}, options: {change}", task.task));
                said = Some(change);
            }
            let is_here = unit.shard == shard && selected.units().any(|found| found == place);
            let planned = DataFacts::from_json(&from_value(&unit.data)).filter(|_| is_here);
            let Some(planned) = planned else { continue };
            // What cannot be read fails its unit, in the words of a run.
            let found = sources.facts(&selected.entry, place.0, place.1, Some(&planned));
            if let Some(change) = found.ok().and_then(|found| planned.difference(&found)) {
                faults.push(format!("task {}, subset {}, data: {change}", task.task, unit.subset));
            }
        }
    }
    faults.dedup();
    faults
}

/// The same in the other form of JSON.
pub fn to_value(json: &Json) -> Value {
    serde_json::from_str(&json.to_python(0)).unwrap_or(Value::Null)
}

/// The same in the other form of JSON.
pub fn from_value(value: &Value) -> Json {
    Json::from(value.clone())
}
