//! What is known of models beside their results, and what they were trained on.

use std::collections::{BTreeMap, BTreeSet};

use crate::reading::Meta;

/// Facts of models by their name.
#[derive(Clone, Debug, Default)]
pub struct KnownModels {
    /// Models that a card describes.
    pub models: BTreeMap<String, ModelFacts>,
}

/// What is known of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFacts {
    /// True if a card of the reference's registry describes it; `--like-reference` shows no other.
    pub is_registered: bool,
    /// The revision that the card pins.
    pub revision: Option<String>,
    /// Parameters, those of the table of tokens included.
    pub parameters: Option<u64>,
    /// Parameters that take part in each step: without the table of tokens.
    pub active_parameters: Option<u64>,
    /// Numbers an embedding, the largest where there are several.
    pub dimension: Option<u32>,
    /// Tokens after which a text is cut; `None` where there is no limit or none is known.
    pub max_tokens: Option<u32>,
    /// Megabytes of the weights.
    pub memory_mb: Option<u64>,
    /// Day of its release, as `2025-01-31`.
    pub release_date: Option<String>,
    /// Licence of the weights.
    pub license: Option<String>,
    /// True if the weights can be had.
    pub open_weights: Option<bool>,
    /// True if the model is told what to do.
    pub use_instructions: Option<bool>,
    /// Where it is described.
    pub reference: Option<String>,
    /// What it runs with, for example `PyTorch`.
    pub framework: Vec<String>,
    /// Languages, as `ind-Latn`.
    pub languages: Vec<String>,
    /// Architecture or kind, for colours in figures.
    pub architecture: Option<String>,
    /// Tasks whose data it was trained on, as its card states them; `None` where nobody says.
    pub training_datasets: Option<BTreeSet<String>>,
    /// The model that it was trained from.
    pub adapted_from: Option<String>,
    /// The model that took its place.
    pub superseded_by: Option<String>,
}

/// True for a model that looks at the surface of texts alone, or at nothing; cards have no word for
/// it, but such models are called so.
pub fn is_baseline(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.starts_with("baseline-") || model.starts_with("mteb-host/hashing")
}

impl KnownModels {
    /// The facts of a model: of its card, and what its card leaves open of its `model_meta.json`.
    pub fn of(&self, model: &str, meta: Option<&Meta>) -> ModelFacts {
        let mut facts = self.models.get(model).cloned().unwrap_or_default();
        let Some(meta) = meta else { return facts };
        facts.parameters = facts.parameters.or(meta.parameters);
        facts.dimension = facts.dimension.or(meta.dimension);
        facts.max_tokens = facts.max_tokens.or(meta.max_tokens);
        facts.release_date = facts.release_date.or_else(|| meta.release_date.clone());
        facts.license = facts.license.or_else(|| meta.license.clone());
        facts.open_weights = facts.open_weights.or(meta.open_weights);
        facts.use_instructions = facts.use_instructions.or(meta.use_instructions);
        facts.reference = facts.reference.or_else(|| meta.reference.clone());
        facts
    }

    /// The main revision of a model.
    pub fn revision(&self, model: &str) -> Option<&str> {
        self.models.get(model)?.revision.as_deref()
    }
}

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

    /// What `model` was trained on: its own data, that of the models it was trained from, and
    /// similar tasks; `None` where its card does not say. Source: mteb 2.26.24,
    /// `ModelMeta.get_training_datasets`.
    pub fn find_training_tasks(&self, facts: &KnownModels, model: &str) -> Option<TrainedOn> {
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
        let trained = similar.find_training_tasks(&facts, "child").unwrap();
        assert_eq!(trained, set(&["MSMARCO", "NQ", "NanoMSMARCO", "TinyMSMARCO"]));
        assert_eq!(similar.find_training_tasks(&facts, "silent"), None);
        assert_eq!(zero_shot_share(&trained, ["NQ", "A", "B"]), Some(66));
        assert_eq!(zero_shot_share(&trained, []), None);
    }
}
