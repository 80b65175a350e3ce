//! Runs the code of types of tasks that packs and cards declare, in workers.

mod conformance;
mod conversation;
mod python;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use mteb_card::TypeEvaluator;
use mteb_tasks::{Code, Declaration, EvaluateError, TypeRunner, provide_runners};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

pub use conformance::type_faults;
use conversation::PackRunner;
use python::{NoRunner, PythonRunner};

/// From now on the plugins of `catalog` run the code of types and measures, each in one worker, which is started when it is first asked.
pub fn provide(settings: &Settings, catalog: &Catalog) {
    let (settings, catalog) = (settings.clone(), catalog.clone());
    let made: Mutex<BTreeMap<String, Arc<dyn TypeRunner>>> = Mutex::default();
    provide_runners(move |code| {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = worker_of(code);
        if let Some(known) = made.get(&worker) {
            return Ok(Arc::clone(known));
        }
        let runner =
            make(code, &settings, &catalog).map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        made.insert(worker, Arc::clone(&runner));
        Ok(runner)
    });
}

/// What the worker is known by: all measures of a pack have one, each type one of its own.
fn worker_of(code: Code) -> String {
    match (code.declaration, code.evaluator) {
        (Declaration::Measure(_), TypeEvaluator::Pack { plugin, .. }) => format!("{plugin}/"),
        _ => code.name.to_owned(),
    }
}

fn make(code: Code, settings: &Settings, catalog: &Catalog) -> Result<Arc<dyn TypeRunner>, NoRunner> {
    Ok(match code.evaluator {
        TypeEvaluator::Pack { plugin, task, .. } => {
            let found = catalog
                .plugin(plugin)
                .ok_or_else(|| NoRunner::NoPack { plugin: plugin.clone(), code: code.name.to_owned() })?;
            Arc::new(PackRunner::new(found, task, settings))
        }
        TypeEvaluator::Python { .. } => Arc::new(PythonRunner::new(code, settings, catalog)?),
    })
}
