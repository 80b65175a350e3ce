//! The tasks of registries as tables need them.

use std::sync::Arc;

use mteb_engine::registry::{Selected, TaskEntry};
use mteb_report::benchmark::{Benchmark, Subset, Task};
use mteb_report::facts::SimilarTasks;

/// The selected tasks under one name.
pub fn benchmark(name: &str, selected: &[Selected]) -> Benchmark {
    Benchmark { name: name.to_owned(), tasks: selected.iter().map(task).collect() }
}

/// Which tasks share data: those that a card names as its origin or as what replaces it.
pub fn similar(tasks: &[Arc<TaskEntry>]) -> SimilarTasks {
    let mut similar = SimilarTasks::default();
    for card in tasks.iter().map(|task| &task.card) {
        card.adapted_from
            .iter()
            .chain(&card.superseded_by)
            .for_each(|other| similar.insert(other, &card.name));
    }
    similar
}

fn task(selected: &Selected) -> Task {
    let card = &selected.entry.card;
    let subset =
        |name: &String| Subset { name: name.clone(), languages: card.subset_languages(name).to_vec() };
    Task {
        name: card.name.clone(),
        task_type: card.task_type.to_string(),
        main_score: card.main_score().to_owned(),
        splits: selected.splits.clone(),
        subsets: selected.subsets.iter().map(subset).collect(),
        units: Some(selected.units().map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect()),
        is_aggregate: !card.members.is_empty(),
        revision: Some(card.revision().to_owned()),
        dataset: card.dataset.fetched().map(str::to_owned),
        domains: card.domains.iter().map(ToString::to_string).collect(),
        description: card.description.clone(),
        reference: card.reference.clone(),
    }
}
