//! Runs the code of types of tasks that packs and cards declare, in workers.

mod conversation;
mod pack;
mod python;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use mteb_card::{DeclaredType, TypeEvaluator};
use mteb_tasks::{TypeRunner, provide_runners};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use pack::PackRunner;
use python::PythonRunner;

/// From now on the plugins of `catalog` run the code of types, each in one worker, which is started when it is first asked.
pub fn provide(settings: &Settings, catalog: &Catalog) {
    let (settings, catalog) = (settings.clone(), catalog.clone());
    let made: Mutex<BTreeMap<&'static str, Arc<dyn TypeRunner>>> = Mutex::default();
    provide_runners(move |declared| {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(declared.name) {
            return Ok(Arc::clone(known));
        }
        let runner = make(declared, &settings, &catalog)?;
        made.insert(declared.name, Arc::clone(&runner));
        Ok(runner)
    });
}

fn make(
    declared: &'static DeclaredType,
    settings: &Settings,
    catalog: &Catalog,
) -> Result<Arc<dyn TypeRunner>, String> {
    Ok(match &declared.evaluator {
        TypeEvaluator::Pack { plugin, task, .. } => {
            let found = catalog.plugin(plugin).ok_or_else(|| {
                format!(
                    "expected the plugin `{plugin}`, which evaluates the type {}, found none; `mteb-host doctor` lists the folders that \
                     were searched",
                    declared.name
                )
            })?;
            Arc::new(PackRunner::new(found, task, settings))
        }
        TypeEvaluator::Python { file, class, sha256 } => {
            Arc::new(PythonRunner::new((file, class, sha256), &declared.declaration, settings, catalog)?)
        }
    })
}
