//! A pack of measures over rankings: what they tell is known; with `MTEB_PLUGIN_FAULT` they misbehave.

#![allow(clippy::panic, reason = "misbehaving is what this plugin is for")]

use std::collections::BTreeMap;

use mteb_plugin_api::card::{MEASURE, MeasureAnswer};
use mteb_plugin_api::v1::measure::{
    Aggregate, JudgedQuery, MEASURES, Measure, MeasureDeclaration, Measures, ParameterDeclaration,
};
use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};

/// The value of a query.
type Value = fn(&JudgedQuery<'_>) -> f64;

/// A measure by its formula.
struct Formula {
    declaration: MeasureDeclaration,
    value: Value,
}

impl Measure for Formula {
    fn declaration(&self) -> MeasureDeclaration {
        self.declaration.clone()
    }

    fn value(&self, query: &JudgedQuery<'_>) -> f64 {
        match fault().as_str() {
            "nan" => f64::NAN,
            "bounds" => 2.0,
            "panic" => panic!("no values today"),
            "die" => std::process::abort(),
            "hang" => loop {
                std::thread::sleep(std::time::Duration::from_secs(60));
            },
            _ => (self.value)(query),
        }
    }
}

/// Rank-biased precision.
fn rbp(query: &JudgedQuery<'_>) -> f64 {
    let p = query.parameter("p");
    let ranks = query.found.iter().zip(0..).filter(|(grade, _)| query.is_relevant(**grade));
    (1.0 - p) * ranks.map(|(_, rank)| p.powi(rank)).sum::<f64>()
}

/// The share of found documents that is judged, as the host's `judged`.
fn judged_share(query: &JudgedQuery<'_>) -> f64 {
    let known = query.found.iter().filter(|grade| !grade.is_nan()).count();
    if query.found.is_empty() { 1.0 } else { known as f64 / query.found.len() as f64 }
}

/// nDCG, as the host's.
fn ndcg(query: &JudgedQuery<'_>) -> f64 {
    let gain = |grades: &[f64]| -> f64 {
        let gains = grades.iter().take(query.cut).zip(2..).filter(|(grade, _)| **grade > 0.0);
        gains.map(|(grade, rank)| grade / f64::from(rank).log2()).sum()
    };
    let ideal = gain(query.judged);
    if ideal > 0.0 { gain(query.found) / ideal } else { 0.0 }
}

/// Binary preference, as trec_eval's: how many judged documents that are not relevant stand before each relevant one.
fn bpref(query: &JudgedQuery<'_>) -> f64 {
    let relevant = query.relevant();
    let least = relevant.min(query.judged.len() - relevant) as f64;
    let (mut others, mut sum) = (0.0_f64, 0.0);
    for grade in query.found {
        if query.is_relevant(*grade) {
            sum += if others > 0.0 { 1.0 - others.min(relevant as f64) / least } else { 1.0 };
        } else if !grade.is_nan() {
            others += 1.0;
        }
    }
    if relevant > 0 { sum / relevant as f64 } else { 0.0 }
}

/// Number of documents found before the first relevant one: a cost.
fn effort(query: &JudgedQuery<'_>) -> f64 {
    let first = query.found.iter().position(|grade| query.is_relevant(*grade));
    first.unwrap_or(query.found.len()) as f64
}

fn measures() -> Vec<(&'static str, Box<dyn Measure>)> {
    let of = |about: &str| MeasureDeclaration { about: about.to_owned(), ..MeasureDeclaration::default() };
    let p = ParameterDeclaration { default: 0.8, low: 0.0, high: if fault() == "range" { 0.5 } else { 1.0 } };
    let parameters = BTreeMap::from([("p".to_owned(), p)]);
    let made: [(&'static str, MeasureDeclaration, Value); 5] = [
        ("rbp", MeasureDeclaration { parameters, ..of("Rank-biased precision.") }, rbp),
        ("judged", MeasureDeclaration { at_cuts: true, ..of("Share of judged documents.") }, judged_share),
        ("ndcg", MeasureDeclaration { at_cuts: true, ..of("nDCG.") }, ndcg),
        ("bpref", MeasureDeclaration { aggregate: Aggregate::Median, ..of("Binary preference.") }, bpref),
        (
            "effort",
            MeasureDeclaration {
                high: 10_000.0,
                better: mteb_plugin_api::card::Better::Lower,
                ..of("Documents before the first relevant one.")
            },
            effort,
        ),
    ];
    made.into_iter()
        .map(|(name, declaration, value)| {
            let measure: Box<dyn Measure> = Box::new(Formula { declaration, value });
            (name, measure)
        })
        .collect()
}

fn fault() -> String {
    std::env::var("MTEB_PLUGIN_FAULT").unwrap_or_default()
}

struct Pack;

impl TaskPack for Pack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        match name {
            MEASURES => Ok(Box::new(Misbehaving(Measures(measures())))),
            _ => Err(PluginError::not_found(format!("no task {name}"))),
        }
    }
}

struct Misbehaving(Measures);

impl Task for Misbehaving {
    fn card(&self) -> Result<String, PluginError> {
        self.0.card()
    }

    fn rows(&self, subset: &str, part: &str, split: &str) -> Result<String, PluginError> {
        self.0.rows(subset, part, split)
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        let answer = self.0.call(method, json)?;
        if method != MEASURE {
            return Ok(answer);
        }
        let mut values: MeasureAnswer = serde_json::from_str(&answer).unwrap_or_default();
        match fault().as_str() {
            "fewer" => values.values.iter_mut().for_each(|values| values.truncate(1)),
            "cuts" => values.values.push(Vec::new()),
            "nonsense" => return Ok("[]".to_owned()),
            "many" => values.values = vec![vec![Some(0.5); 40_000_000]],
            _ => {}
        }
        serde_json::to_string(&values).map_err(|error| PluginError::failed(error.to_string()))
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "measure-pack".to_owned(),
        version: "1.0.0".to_owned(),
        features: vec![MEASURES.to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: "Measures for tests.".to_owned(),
        models: Vec::new(),
        tasks: Vec::new(),
    },
    pack: Pack,
}
