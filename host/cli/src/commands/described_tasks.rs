//! What a model in mteb's form, whose code is in a file, is told of tasks that mteb does not know.

use mteb_registry::Selected;
use serde_json::{Map, Value, json};

/// The fields of mteb's metadata of each task, by its name. An object in a Python process is told the same, by `metadata_of_task` of the
/// package `mteb_host`.
pub fn described_tasks(tasks: &[Selected]) -> Map<String, Value> {
    tasks.iter().map(|task| (task.entry.card.name.clone(), described(task))).collect()
}

fn described(task: &Selected) -> Value {
    let card = &task.entry.card;
    json!({
        "type": card.task_type,
        "main_score": card.main_score(),
        "description": card.description,
        "reference": card.reference,
        "category": card.category,
        "domains": card.domains,
        "license": card.license,
        "date": card.date,
        "eval_splits": task.splits,
        "eval_langs": task.languages(),
        "prompt": null,
        "modalities": ["text"],
    })
}
