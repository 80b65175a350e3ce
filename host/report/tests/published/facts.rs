//! Facts of the reference: models, two benchmarks, and which tasks share data (`tests/golden/published/make.py`).

use std::collections::HashMap;

use mteb_report::benchmark::{Subset, Task, TaskSet};
use mteb_report::facts::{KnownModels, ModelFacts, SimilarTasks};
use serde_json::Value;

/// What the fixture says.
pub struct Fixture(Value);

impl Fixture {
    pub fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/published/facts.json");
        Self(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    pub fn benchmark(&self, name: &str) -> TaskSet {
        let tasks = self.0["benchmarks"][name].as_array().unwrap().iter().map(|task| Task {
            name: text(&task["name"]).unwrap(),
            task_type: text(&task["type"]).unwrap(),
            main_score: text(&task["main_score"]).unwrap(),
            splits: texts(&task["splits"]),
            subsets: subsets(&task["subsets"]),
            is_aggregate: task["is_aggregate"].as_bool().unwrap(),
            domains: texts(&task["domains"]),
            ..Task::default()
        });
        TaskSet { name: name.to_owned(), tasks: tasks.collect(), ..TaskSet::default() }
    }

    /// The main score of each task of the benchmarks.
    pub fn main_scores(&self) -> HashMap<String, String> {
        let tasks =
            self.0["benchmarks"].as_object().unwrap().values().flat_map(|tasks| tasks.as_array().unwrap());
        tasks.map(|task| (text(&task["name"]).unwrap(), text(&task["main_score"]).unwrap())).collect()
    }

    pub fn facts(&self) -> KnownModels {
        let models = self.0["models"].as_object().unwrap().iter();
        KnownModels { models: models.map(|(name, model)| (name.clone(), model_facts(model))).collect() }
    }

    pub fn similar(&self) -> SimilarTasks {
        let mut similar = SimilarTasks::default();
        for (one, others) in self.0["similar"].as_object().unwrap() {
            texts(others).iter().for_each(|other| similar.insert(one, other));
        }
        similar
    }
}

fn model_facts(model: &Value) -> ModelFacts {
    let small = |key: &str| model[key].as_u64().map(|number| u32::try_from(number).unwrap());
    ModelFacts {
        is_registered: true,
        revision: text(&model["revision"]),
        parameters: model["parameters"].as_u64(),
        active_parameters: model["active_parameters"].as_u64(),
        dimension: small("dimension"),
        max_tokens: small("max_tokens"),
        release_date: text(&model["release_date"]),
        training_datasets: model["training_datasets"]
            .as_array()
            .map(|all| all.iter().filter_map(text).collect()),
        adapted_from: text(&model["adapted_from"]),
        open_weights: model["open_weights"].as_bool(),
        use_instructions: model["use_instructions"].as_bool(),
        ..ModelFacts::default()
    }
}

fn subsets(subsets: &Value) -> Vec<Subset> {
    let subsets = subsets.as_object().unwrap().iter();
    subsets.map(|(name, languages)| Subset { name: name.clone(), languages: texts(languages) }).collect()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}
