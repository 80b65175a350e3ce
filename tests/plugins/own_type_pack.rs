//! A task pack with a type of its own that computes what the host's STS does; with `MTEB_PLUGIN_FAULT` it misbehaves.

#![allow(clippy::panic, reason = "misbehaving is what this plugin is for")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use mteb_measures::correlation::{pearson, spearman};
use mteb_plugin_api::card::{
    ColumnDeclaration, Holds, NamedScores, OptionDeclaration, ScoreDeclaration, TypeDeclaration,
};
use mteb_plugin_api::v1::task_type::{
    EncodedUnit, PLAN, PairMeasure, TASK_TYPE, TaskType, TextSet, TypeAnswer, TypePlan, UnitRows,
    answer_call, answer_score, pairs,
};
use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};
use serde::Deserialize;

/// What two texts are compared by, and what stands before the scores of each.
const MEASURES: [(&str, PairMeasure); 4] = [
    ("", PairMeasure::Model),
    ("cosine_", PairMeasure::CosineDistance),
    ("manhattan_", PairMeasure::Manhattan),
    ("euclidean_", PairMeasure::Euclidean),
];

/// Outcomes whose numbers no answer may have.
const MANY: usize = 40_000_000;

/// Bytes that are never given back.
const LEAK: usize = 64 << 10;

/// How often scores were asked for, which no evaluator should know.
static QUESTIONS: AtomicU32 = AtomicU32::new(0);

#[derive(Deserialize)]
struct Row {
    score: f64,
}

struct Likeness;

impl TaskType for Likeness {
    fn declaration(&self) -> TypeDeclaration {
        let column = |holds| ColumnDeclaration { holds, ..ColumnDeclaration::default() };
        let columns = [("sentence1", Holds::Text), ("sentence2", Holds::Text), ("score", Holds::Number)];
        let score = ScoreDeclaration { low: -1.0, undefined: true, ..ScoreDeclaration::default() };
        let names = MEASURES
            .iter()
            .flat_map(|(prefix, _)| ["pearson", "spearman"].map(|name| format!("{prefix}{name}")));
        TypeDeclaration {
            about: "Follows the similarity of two texts what people said of it.".to_owned(),
            columns: columns.map(|(name, holds)| (name.to_owned(), column(holds))).into_iter().collect(),
            scores: names.map(|name| (name, score.clone())).collect(),
            main_score: if fault() == "main-score" { "spearmann" } else { "cosine_spearman" }.to_owned(),
            options: BTreeMap::from([(
                "highest".to_owned(),
                OptionDeclaration { default: 5.into(), about: "Highest score that people gave.".to_owned() },
            )]),
            instruction: "Retrieve semantically similar text.".to_owned(),
            ..TypeDeclaration::default()
        }
    }

    fn plan(&self, _: &UnitRows) -> Result<TypePlan, PluginError> {
        let mut left = TextSet::of_column("sentence1", None);
        let right = TextSet::of_column("sentence2", None);
        match fault().as_str() {
            "absent-column" => left.column = Some("sentence3".to_owned()),
            "absent-rows" => left.rows = Some(vec![0, 1_000_000]),
            "no-texts" => left = TextSet::of_texts("sentence1", Vec::new(), None),
            "other-plan" => left.name = own_name(),
            "hang-plan" => wait(),
            "die-plan" => std::process::abort(),
            _ => {}
        }
        let name = left.name.clone();
        let services = MEASURES.iter().map(|(_, measure)| pairs(&name, "sentence2", *measure));
        let services =
            if fault() == "no-set" { vec![pairs("x", "y", PairMeasure::Dot)] } else { services.collect() };
        Ok(TypePlan { texts: vec![left, right], services })
    }

    fn score(&self, unit: &EncodedUnit) -> Result<TypeAnswer, PluginError> {
        if fault() == "other-plan" {
            // The first process dies, and the second one looks for the texts of its own plan.
            unit.embeddings(&own_name())?;
            std::process::abort();
        }
        let highest: f64 = unit.unit.option("highest")?;
        if fault() == "single" && unit.rows::<Row>()?.len() == 1 {
            panic!("expected two rows");
        }
        let gold: Vec<f64> = unit.rows::<Row>()?.iter().map(|row| row.score / highest).collect();
        let mut scores = Vec::new();
        for (place, (prefix, measure)) in MEASURES.iter().enumerate() {
            let compared = unit.similarities(place)?.iter().map(|number| f64::from(*number));
            let compared: Vec<f64> = match measure {
                PairMeasure::CosineDistance => compared.map(|distance| 1.0 - distance).collect(),
                _ => compared.collect(),
            };
            for (name, value) in
                [("pearson", pearson(&gold, &compared)), ("spearman", spearman(&gold, &compared))]
            {
                scores.push((format!("{prefix}{name}"), value.is_finite().then_some(value)));
            }
        }
        misbehave(TypeAnswer { scores: NamedScores(scores), ..TypeAnswer::default() })
    }
}

/// The answer, or a worse one.
fn misbehave(mut answer: TypeAnswer) -> Result<TypeAnswer, PluginError> {
    let scores = &mut answer.scores.0;
    match fault().as_str() {
        "other-names" => scores[0].0 = "pearsonn".to_owned(),
        "twice" => scores.push(scores[0].clone()),
        "fewer" => drop(scores.pop()),
        "bounds" => scores[0].1 = Some(1.5),
        "outcomes" => answer.outcomes = Some(vec![1.0; 3]),
        "many-outcomes" => answer.outcomes = Some(vec![0.0; MANY]),
        "hang" => wait(),
        "die" => std::process::abort(),
        "panic" => panic!("no scores today"),
        "remembers" => scores[0].1 = Some(f64::from(QUESTIONS.fetch_add(1, Ordering::Relaxed)) / 1e6),
        "draws" => scores[0].1 = Some(f64::from(std::process::id()) / 1e9),
        "leaks" => std::mem::forget(vec![1_u8; LEAK]),
        "warn" => answer.warnings = vec!["said\nin two lines".to_owned()],
        _ => {}
    }
    Ok(answer)
}

fn wait() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
}

/// A name that another process does not have.
fn own_name() -> String {
    format!("of-{}", std::process::id())
}

fn fault() -> String {
    std::env::var("MTEB_PLUGIN_FAULT").unwrap_or_default()
}

struct Pack;

impl TaskPack for Pack {
    fn task(&self, _: &str) -> Result<Box<dyn Task>, PluginError> {
        Ok(Box::new(PackLikeness))
    }
}

struct PackLikeness;

impl Task for PackLikeness {
    fn card(&self) -> Result<String, PluginError> {
        Ok("schema = 1\nname = \"PackLikeness\"\ntype = \"Likeness\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
            [dataset]\nplugin = \"own-type-pack\"\n"
            .to_owned())
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        if part != "rows" {
            return Err(PluginError::not_found(format!("no part {part}")));
        }
        let row = |(left, right, score): (&str, &str, f64)| {
            format!("{{\"sentence1\": \"{left}\", \"sentence2\": \"{right}\", \"score\": {score}}}\n")
        };
        Ok([("satu", "dua", 1.0), ("tiga", "empat lima", 4.5), ("enam", "tujuh", 2.0)].map(row).concat())
    }

    fn score(&self, json: &str) -> Result<String, PluginError> {
        answer_score(&Likeness, json)
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        answer_call(&Likeness, method, json)
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "own-type-pack".to_owned(),
        version: "1.0.0".to_owned(),
        features: [TASK_TYPE, PLAN].map(str::to_owned).to_vec(),
        licence: "Apache-2.0".to_owned(),
        description: "Has a type of its own.".to_owned(),
        models: Vec::new(),
        tasks: vec!["PackLikeness".to_owned()],
    },
    pack: Pack,
}
