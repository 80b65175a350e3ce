//! The tasks that a registry takes of one that it includes.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_card::Include;

use crate::TaskEntry;
use crate::selecting::pattern::TaskPattern;

/// Of the tasks `all` of an included registry those that are taken, each as its name narrows it; and what is wrong with names, by their
/// places. Of the host's registries only the `wanted` tasks were read.
pub fn taken_tasks(
    all: Vec<Arc<TaskEntry>>,
    include: &Include,
    wanted: Option<&HashSet<String>>,
) -> (Vec<Arc<TaskEntry>>, Vec<(usize, String)>) {
    let Some(named) = include.tasks() else { return (all, Vec::new()) };
    let (mut tasks, mut faults) = (Vec::new(), Vec::new());
    for (place, name) in named.iter().enumerate() {
        let pattern = TaskPattern::new(name);
        let found = all.iter().find(|task| task.card.name == pattern.name());
        match found.map(|task| (task, pattern.narrow(task))) {
            Some((task, Ok(_))) => {
                tasks.push(Arc::new(TaskEntry { taken: pattern, ..TaskEntry::clone(task) }));
            }
            Some((_, Err(error))) => faults.push((place, error.to_string())),
            None if wanted.is_none_or(|wanted| wanted.contains(pattern.name())) => {
                let near = hint(pattern.name(), all.iter().map(|task| task.card.name.as_str()), "");
                let registry = include.registry();
                faults.push((
                    place,
                    format!("expected a task of the registry {registry}, found: {name}{near}"),
                ));
            }
            None => {}
        }
    }
    (tasks, faults)
}
