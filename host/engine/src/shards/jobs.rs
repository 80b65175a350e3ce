//! The tasks of a run that have data, in the order in which one machine scores them.

use std::collections::{HashMap, HashSet};

use mteb_registry::{Selected, TakenSubsets};

use crate::run::order::by_dataset;

/// The tasks with data of `tasks`, each once with all of its splits and subsets that are asked for, in the order of a run.
pub fn tasks_in_order(tasks: &[Selected]) -> Vec<Selected> {
    let mut found: Vec<Selected> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for task in by_dataset(tasks).into_iter().flat_map(|number| tasks[number].with_data()) {
        let name = task.entry.card.name.clone();
        match places.get(&name) {
            // It runs alone and as a member of another, or as one of two.
            Some(&place) => found[place] = united(&found[place], &task),
            None => {
                places.insert(name, found.len());
                found.push(task);
            }
        }
    }
    found
}

/// The splits and subsets of both.
fn united(left: &Selected, right: &Selected) -> Selected {
    let wanted = |split: &&String| left.splits.contains(split) || right.splits.contains(split);
    let splits = left.entry.card.eval_splits.iter().filter(wanted).cloned().collect();
    let subsets = match (left.subsets.named(), right.subsets.named()) {
        (Some(left_names), Some(right_names)) => {
            let names: HashSet<&str> = left_names.union(&right_names).copied().collect();
            TakenSubsets::among(&left.entry.card, &names)
        }
        _ => TakenSubsets::All,
    };
    Selected { entry: left.entry.clone(), subsets, splits }
}
