//! The tasks that search, among those that a filter picks.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_registry::{Registries, Selected, TaskEntry};
use mteb_workers::plugins::Catalog;

use crate::commands::arguments::FilterArgs;
use crate::commands::left_out::leave_out_unsupported;
use crate::exit::Exit;
use crate::output;

/// The tasks with data that the filter picks and that search.
///
/// # Errors
/// The exit code, after it was said what is wrong.
pub fn searching_tasks(filter: &FilterArgs, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let registries = filter.registries(catalog)?;
    let mut tasks = filter.select(&registries)?;
    if filter.task.is_empty() {
        leave_out_unsupported(&mut tasks);
    }
    let mut tasks: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
    let found = tasks.len();
    tasks.retain(|task| task.entry.card.task_type.is_ranking());
    if tasks.is_empty() {
        let found = output::count(found, "task");
        return Err(output::usage(format!(
            "expected retrieval or reranking tasks, found none among {found}; select some with `--task` or \
             `--benchmark`"
        )));
    }
    if tasks.len() < found {
        let left = output::count(found - tasks.len(), "task");
        output::warn(format!("skipped tasks that are not retrieval or reranking: {left}"));
    }
    Ok(tasks)
}

/// The tasks called `name`, of one of which a pool is: the one that counts, then those of earlier editions.
pub fn tasks_called(catalog: &Catalog, name: &str) -> Vec<Arc<TaskEntry>> {
    Registries::load_only(&[], catalog, &HashSet::from([name.to_owned()])).tasks_called(name)
}
