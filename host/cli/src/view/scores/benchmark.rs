//! The tasks of registries, and the facts of model cards, as tables need them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use mteb_card::{Aggregation, Badge, ModelCard};
use mteb_registry::{BenchmarkPart, BenchmarkView, ModelCards, Selected, TaskEntry};
use mteb_report::benchmark::{About, Group, Part, Subset, Task, TaskSet};
use mteb_report::facts::{KnownModels, ModelFacts, SimilarTasks};
use mteb_report::table::Unit;

/// The selected tasks under one name, with what a leaderboard shows of them beside their means.
pub fn benchmark(name: &str, selected: &[Selected], view: BenchmarkView) -> TaskSet {
    let named = |task: &Selected| (task.entry.card.name.clone(), units(task));
    let groups = view.groups.into_iter().map(|group| Group {
        tasks: group.tasks.iter().map(named).collect(),
        grouping: Some(group.grouping),
        label: group.label,
    });
    let means = view.means.iter().flat_map(|mean| further_means(*mean, selected));
    TaskSet {
        name: name.to_owned(),
        tasks: tasks(selected),
        of_results: Vec::new(),
        groups: means.chain(groups).collect(),
        languages: view.languages,
        part: None,
        about: About::default(),
        beyond: None,
    }
}

/// Tasks as tables need them.
pub fn tasks(selected: &[Selected]) -> Vec<Task> {
    selected.iter().map(task).collect()
}

/// A part of a benchmark as tables need it.
pub fn part(part: BenchmarkPart) -> Part {
    let (is_narrowed, [taken, there]) = (part.is_narrowed(), part.tasks);
    Part {
        tasks: [taken, there + part.absent.len()],
        units: (taken == there && is_narrowed).then_some(part.units),
        absent: part.absent,
        is_narrowed,
    }
}

/// The means beside those of tasks, of types and of their means, which every board has; each only where it is over something.
fn further_means(mean: Aggregation, selected: &[Selected]) -> Vec<Group> {
    let named = |label: &str, tasks: Vec<(String, Vec<Unit>)>| {
        let label = label.to_owned();
        (!tasks.is_empty()).then_some(Group { grouping: None, label, tasks })
    };
    let name = |task: &Selected| task.entry.card.name.clone();
    let whole = |is_private: bool| {
        let tasks = selected.iter().filter(|task| task.entry.card.private == is_private);
        tasks.map(|task| (name(task), units(task))).collect::<Vec<_>>()
    };
    let found = match mean {
        Aggregation::MeanSubset => {
            let of_subset = |task: &Selected| {
                let mut subsets: BTreeMap<String, Vec<Unit>> = BTreeMap::new();
                for unit in units(task) {
                    subsets.entry(unit.1.clone()).or_default().push(unit);
                }
                subsets.into_values().map(|units| (name(task), units)).collect::<Vec<_>>()
            };
            vec![named("Mean (Subset)", selected.iter().flat_map(of_subset).collect())]
        }
        Aggregation::PublicPrivate => {
            vec![named("Mean (Public)", whole(false)), named("Mean (Private)", whole(true))]
        }
        Aggregation::MeanTask | Aggregation::MeanTaskType | Aggregation::TaskTypes => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// The units of a task, as split and subset.
fn units(task: &Selected) -> Vec<Unit> {
    task.units().map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect()
}

/// The units of the card of a task that were not asked for.
fn list_other_units(task: &Selected) -> Vec<Unit> {
    let card = &task.entry.card;
    if task.is_whole() {
        return Vec::new();
    }
    let taken: HashSet<(&str, &str)> = task.units().collect();
    let others = card.units().filter(|unit| !taken.contains(unit));
    others.map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect()
}

/// Which tasks share data: those that a card names as its origin or as what replaces it.
pub fn find_similar(tasks: &[Arc<TaskEntry>]) -> SimilarTasks {
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
    let languages = card.languages_by_subset();
    let subset = |name: String| {
        let languages = languages.get(name.as_str()).copied().unwrap_or(&card.languages).to_vec();
        Subset { name, languages }
    };
    Task {
        name: card.name.clone(),
        task_type: card.task_type.to_string(),
        main_score: card.main_score().to_owned(),
        splits: selected.splits.clone(),
        subsets: selected.subset_names().into_iter().map(subset).collect(),
        units: Some(units(selected)),
        other_units: list_other_units(selected),
        is_aggregate: !card.members.is_empty(),
        revision: Some(card.revision().to_owned()),
        dataset: card.dataset.fetched().map(str::to_owned),
        domains: card.domains.iter().map(ToString::to_string).collect(),
        badge: card.badge().map(Badge::as_str),
        description: card.description.clone(),
        reference: card.reference.clone(),
        license: card.license.clone(),
        annotations: card.annotations.map(|annotations| annotations.to_string()),
        sample_creation: card.sample_creation.map(|creation| creation.to_string()),
        texts: mteb_registry::embedded::size(&card.name).map(|size| size.texts),
        citation: card.citation.clone(),
        ..Task::default()
    }
}

/// How the source begins of facts that were taken from the reference's registry of models.
const REFERENCE: &str = "mteb ";

/// The facts of every model that has one of the `cards`.
pub fn facts(cards: &ModelCards) -> KnownModels {
    let (cards, _) = cards.all();
    KnownModels {
        models: cards.into_iter().map(|found| (found.card.name.clone(), read_facts(found.card))).collect(),
    }
}

fn read_facts(card: ModelCard) -> ModelFacts {
    let without_table = card.parameters.zip(card.embedding_parameters);
    let without_table = without_table.map(|(all, table)| all.saturating_sub(table));
    ModelFacts {
        is_registered: card.facts.is_some_and(|source| source.starts_with(REFERENCE)),
        revision: card.revision,
        parameters: card.parameters,
        active_parameters: card.active_parameters.or(without_table),
        dimension: card.dimension,
        max_tokens: card.max_tokens,
        memory_mb: card.memory_mb,
        release_date: card.release_date,
        license: card.license,
        open_weights: card.open_weights,
        use_instructions: Some(card.instructions),
        reference: card.reference,
        framework: card.framework,
        languages: card.languages,
        architecture: card.architecture,
        training_datasets: card.training_datasets.map(|all| all.into_iter().collect()),
        adapted_from: card.adapted_from,
        superseded_by: card.superseded_by,
    }
}
