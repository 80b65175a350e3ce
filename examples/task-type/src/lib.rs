//! A type of task: analogies. a is to b as c is to d, and d is the word nearest to b - a + c among all words of the unit.

use std::collections::{BTreeMap, BTreeSet};

use mteb_plugin_api::card::TypeDeclaration;
use mteb_plugin_api::v1::task_type::{
    EncodedUnit, PLAN, TASK_TYPE, TaskType, TextSet, TypeAnswer, TypePlan, UnitRows, answer_call,
    answer_score, scores,
};
use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};
use serde::Deserialize;

/// A row.
#[derive(Deserialize)]
struct Analogy {
    a: String,
    b: String,
    c: String,
    d: String,
}

struct Analogies;

impl TaskType for Analogies {
    fn declaration(&self) -> TypeDeclaration {
        toml::from_str(include_str!("../data/type.toml")).expect("the file is a part of the plugin")
    }

    fn plan(&self, unit: &UnitRows) -> Result<TypePlan, PluginError> {
        let words = words(&unit.rows()?);
        Ok(TypePlan { texts: vec![TextSet::of_texts("words", words, None)], ..TypePlan::default() })
    }

    fn score(&self, unit: &EncodedUnit) -> Result<TypeAnswer, PluginError> {
        let (rows, embeddings) = (unit.rows::<Analogy>()?, unit.embeddings("words")?);
        let takes_given: bool = unit.unit.option("candidates_include_given")?;
        let words = words(&rows);
        let places: BTreeMap<&String, usize> = words.iter().zip(0..).collect();
        let ranks = rows.iter().map(|Analogy { a, b, c, d }| {
            let given = [a, b, c].map(|word| places[word]);
            let [from, to, of] = given.map(|place| embeddings.row(place));
            let wanted: Vec<f64> = from
                .iter()
                .zip(to)
                .zip(of)
                .map(|((a, b), c)| f64::from(*b) - f64::from(*a) + f64::from(*c))
                .collect();
            let nearness = |place: usize| cosine(&wanted, embeddings.row(place));
            let is_candidate = |place: &usize| takes_given || !given.contains(place);
            let (answer, candidates) = (nearness(places[d]), (0..words.len()).filter(is_candidate));
            1 + candidates.filter(|place| *place != places[d] && nearness(*place) >= answer).count()
        });
        let ranks: Vec<usize> = ranks.collect();
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let found: Vec<f64> = ranks.iter().map(|rank| f64::from(u8::from(*rank == 1))).collect();
        let reciprocal: Vec<f64> = ranks.iter().map(|rank| 1.0 / *rank as f64).collect();
        let answer = scores(&[("accuracy", mean(&found)), ("mrr", mean(&reciprocal))]);
        Ok(TypeAnswer { outcomes: Some(found), ..answer })
    }
}

/// All words of a unit, each once, in order.
fn words(rows: &[Analogy]) -> Vec<String> {
    let words: BTreeSet<&String> = rows.iter().flat_map(|row| [&row.a, &row.b, &row.c, &row.d]).collect();
    words.into_iter().cloned().collect()
}

fn cosine(left: &[f64], right: &[f32]) -> f64 {
    let right: Vec<f64> = right.iter().map(|number| f64::from(*number)).collect();
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(x, y)| x * y).sum::<f64>();
    dot(left, &right) / (dot(left, left) * dot(&right, &right)).sqrt().max(f64::MIN_POSITIVE)
}

struct Pack;

impl TaskPack for Pack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        match name {
            "CapitalAnalogies" => Ok(Box::new(CapitalAnalogies)),
            _ => Err(PluginError::not_found(format!("this pack has no task `{name}`"))),
        }
    }
}

struct CapitalAnalogies;

impl Task for CapitalAnalogies {
    fn card(&self) -> Result<String, PluginError> {
        Ok(include_str!("../data/CapitalAnalogies.toml").to_owned())
    }

    fn rows(&self, _subset: &str, part: &str, split: &str) -> Result<String, PluginError> {
        match (part, split) {
            ("rows", "test") => Ok(include_str!("../data/test.jsonl").to_owned()),
            _ => {
                Err(PluginError::not_found(format!("expected part rows, split test; found {part}, {split}")))
            }
        }
    }

    fn score(&self, json: &str) -> Result<String, PluginError> {
        answer_score(&Analogies, json)
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        answer_call(&Analogies, method, json)
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "analogies".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: [TASK_TYPE, PLAN].map(str::to_owned).to_vec(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: Vec::new(),
        tasks: vec!["CapitalAnalogies".to_owned()],
    },
    pack: Pack,
}
