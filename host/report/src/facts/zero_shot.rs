//! The share of a benchmark that a model was not trained on, as the reference counts it, similar tasks included.

use std::collections::{BTreeMap, BTreeSet};

use super::model::KnownModels;

/// Which tasks share data: a task, and those made from it or put in its place.
#[derive(Clone, Debug, Default)]
pub struct SimilarTasks {
    neighbours: BTreeMap<String, BTreeSet<String>>,
}

/// What a model was trained on.
pub type TrainedOn = BTreeSet<String>;

impl SimilarTasks {
    /// Notes that two tasks share data.
    pub fn insert(&mut self, one: &str, other: &str) {
        for (one, other) in [(one, other), (other, one)] {
            self.neighbours.entry(one.to_owned()).or_default().insert(other.to_owned());
        }
    }

    /// `tasks` and all that share data with one of them, however far.
    pub fn closure(&self, tasks: &BTreeSet<String>) -> TrainedOn {
        let mut all = tasks.clone();
        let mut waiting: Vec<String> = tasks.iter().cloned().collect();
        while let Some(task) = waiting.pop() {
            for neighbour in self.neighbours.get(&task).into_iter().flatten() {
                if all.insert(neighbour.clone()) {
                    waiting.push(neighbour.clone());
                }
            }
        }
        all
    }

    /// What `model` was trained on: its own data, that of the models it was trained from, and similar tasks; `None` where
    /// its card does not say. Source: mteb 2.26.24, `ModelMeta.get_training_datasets`.
    pub fn trained_on(&self, facts: &KnownModels, model: &str) -> Option<TrainedOn> {
        let mut all = facts.models.get(model)?.training_datasets.clone()?;
        let mut seen = BTreeSet::from([model]);
        let mut current = model;
        while let Some(parent) = facts.models.get(current).and_then(|facts| facts.adapted_from.as_deref()) {
            let Some(own) = facts.models.get(parent).and_then(|facts| facts.training_datasets.as_ref())
            else {
                break;
            };
            if !seen.insert(parent) {
                break;
            }
            all.extend(own.iter().cloned());
            current = parent;
        }
        Some(self.closure(&all))
    }
}

/// The share in percent of `tasks` that the model was not trained on, cut to a whole number.
pub fn zero_shot_share<'a>(trained_on: &TrainedOn, tasks: impl IntoIterator<Item = &'a str>) -> Option<i64> {
    let tasks: BTreeSet<&str> = tasks.into_iter().collect();
    if tasks.is_empty() {
        return None;
    }
    let overlap = tasks.iter().filter(|task| trained_on.contains(**task)).count();
    Some((100.0 - 100.0 * (overlap as f64 / tasks.len() as f64)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ModelFacts;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn training_data_of_the_parent_and_similar_tasks_count() {
        let mut facts = KnownModels::default();
        let model = |own: Option<&[&str]>, parent: Option<&str>| ModelFacts {
            training_datasets: own.map(set),
            adapted_from: parent.map(str::to_owned),
            ..ModelFacts::default()
        };
        facts.models.insert("child".to_owned(), model(Some(&["NQ"]), Some("parent")));
        facts.models.insert("parent".to_owned(), model(Some(&["MSMARCO"]), Some("nobody")));
        facts.models.insert("silent".to_owned(), model(None, Some("parent")));
        let mut similar = SimilarTasks::default();
        similar.insert("MSMARCO", "NanoMSMARCO");
        similar.insert("NanoMSMARCO", "TinyMSMARCO");
        let trained = similar.trained_on(&facts, "child").unwrap();
        assert_eq!(trained, set(&["MSMARCO", "NQ", "NanoMSMARCO", "TinyMSMARCO"]));
        assert_eq!(similar.trained_on(&facts, "silent"), None);
        assert_eq!(zero_shot_share(&trained, ["NQ", "A", "B"]), Some(66));
        assert_eq!(zero_shot_share(&trained, []), None);
    }
}
