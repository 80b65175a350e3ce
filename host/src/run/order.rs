//! The order in which tasks run: those that share a dataset follow each other, while its texts are in memory.

use std::collections::HashMap;

use crate::registry::Selected;

/// The numbers of `tasks`: in the order given, but each right after those of the same dataset.
pub fn by_dataset(tasks: &[Selected]) -> Vec<usize> {
    let mut first = HashMap::new();
    let begins: Vec<usize> = tasks
        .iter()
        .enumerate()
        .map(|(number, task)| dataset(task).map_or(number, |dataset| *first.entry(dataset).or_insert(number)))
        .collect();
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&number| begins[number]);
    order
}

/// Where a task's data is from; of a task that is the mean of others, that of the first.
fn dataset(task: &Selected) -> Option<(u8, &str)> {
    let entry = task.entry.members.first().unwrap_or(&task.entry);
    let dataset = &entry.card.dataset;
    let places = [&dataset.hub, &dataset.path, &dataset.plugin];
    places.into_iter().zip(0..).find_map(|(place, kind)| Some((kind, place.as_deref()?)))
}
