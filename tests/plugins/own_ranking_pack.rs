//! A task pack with a type over rankings that computes what the host's retrieval does; with `MTEB_PLUGIN_FAULT` it misbehaves.

use mteb_measures::ranking::{Found, Judgements, Outcome, evaluate};
use mteb_plugin_api::card::{NamedScores, RankingDeclaration, ScoreDeclaration, TypeDeclaration};
use mteb_plugin_api::v1::task_type::{
    EncodedUnit, TASK_TYPE, TaskType, TypeAnswer, answer_call, answer_score,
};
use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};
use serde::Deserialize;

const CUTS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

/// Largest area under a curve that is believed; there is no bound.
const AREA: f64 = 1e9;

/// Its rows are the queries.
#[derive(Deserialize)]
struct Query {
    id: String,
    text: String,
}

struct Finding;

impl Finding {
    fn names() -> Vec<String> {
        let judgements = [Judgements::new(vec![(0, 1.0)])];
        let outcomes = [Outcome { found: &[], judgements: &judgements[0] }];
        evaluate(&outcomes, &["a"][..], &CUTS).summary().into_iter().map(|(name, _)| name).collect()
    }
}

impl TaskType for Finding {
    fn declaration(&self) -> TypeDeclaration {
        let score = |name: &str| match name.starts_with("nauc_") {
            true => {
                ScoreDeclaration { low: -AREA, high: AREA, undefined: true, ..ScoreDeclaration::default() }
            }
            false => ScoreDeclaration::default(),
        };
        TypeDeclaration {
            about: "Finds the documents that are relevant to a query.".to_owned(),
            ranking: Some(RankingDeclaration::default()),
            scores: Self::names().into_iter().map(|name| (name.clone(), score(&name))).collect(),
            main_score: "mrr_at_10".to_owned(),
            outcomes: Some("mrr_at_10".to_owned()),
            instruction: "Retrieve text based on user query.".to_owned(),
            ..TypeDeclaration::default()
        }
    }

    fn score(&self, unit: &EncodedUnit) -> Result<TypeAnswer, PluginError> {
        let (queries, rankings) = (unit.rows::<Query>()?, unit.rankings()?);
        if queries.iter().any(|query| query.id.is_empty() || query.text.is_empty()) {
            return Err(PluginError::invalid_input("expected ids and texts of queries, found none"));
        }
        let pairs = |documents: &[u32], numbers: &[f64]| -> Vec<Found> {
            documents.iter().copied().zip(numbers.iter().copied()).collect()
        };
        let found: Vec<Vec<Found>> =
            rankings.queries().map(|query| pairs(query.found, query.scores)).collect();
        let judgements: Vec<Judgements> = rankings
            .queries()
            .map(|query| Judgements::new(pairs(query.judged, query.judged_grades)))
            .collect();
        let outcomes: Vec<Outcome<'_>> =
            found.iter().zip(&judgements).map(|(found, judgements)| Outcome { found, judgements }).collect();
        let evaluation = evaluate(&outcomes, rankings.ids(), &CUTS);
        let scores = evaluation.summary().into_iter();
        let scores = scores.map(|(name, score)| (name, score.is_finite().then_some(score)));
        let mut outcomes = evaluation.at(&evaluation.reciprocal_rank, 10).unwrap_or_default().to_vec();
        if std::env::var("MTEB_PLUGIN_FAULT").is_ok_and(|fault| fault == "outcomes") {
            outcomes.pop();
        }
        Ok(TypeAnswer {
            scores: NamedScores(scores.collect()),
            outcomes: Some(outcomes),
            ..TypeAnswer::default()
        })
    }
}

struct Pack;

impl TaskPack for Pack {
    fn task(&self, _: &str) -> Result<Box<dyn Task>, PluginError> {
        Ok(Box::new(PackFinding))
    }
}

struct PackFinding;

impl Task for PackFinding {
    fn card(&self) -> Result<String, PluginError> {
        Ok("schema = 1\nname = \"PackFinding\"\ntype = \"Finding\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
            [dataset]\nplugin = \"own-ranking-pack\"\n"
            .to_owned())
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        let texts = ["satu dua", "tiga", "empat lima enam", "tujuh"];
        let lines = |name: &str, count: usize| -> String {
            let line = |(text, number): (&&str, usize)| {
                format!("{{\"_id\": \"{name}{number}\", \"text\": \"{text}\"}}\n")
            };
            texts.iter().zip(0..).take(count).map(line).collect()
        };
        match part {
            "corpus" => Ok(lines("d", 4)),
            "queries" => Ok(lines("q", 3)),
            "qrels" => Ok((0..3)
                .map(|number| {
                    format!("{{\"query-id\": \"q{number}\", \"corpus-id\": \"d{number}\", \"score\": 1}}\n")
                })
                .collect()),
            _ => Err(PluginError::not_found(format!("no part {part}"))),
        }
    }

    fn score(&self, json: &str) -> Result<String, PluginError> {
        answer_score(&Finding, json)
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        answer_call(&Finding, method, json)
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "own-ranking-pack".to_owned(),
        version: "1.0.0".to_owned(),
        features: vec![TASK_TYPE.to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: "Has a type over rankings.".to_owned(),
        models: Vec::new(),
        tasks: vec!["PackFinding".to_owned()],
    },
    pack: Pack,
}
