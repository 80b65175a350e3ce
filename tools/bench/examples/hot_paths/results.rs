//! Result files of a leaderboard: models times tasks, in the form of the reference.

use std::fs;
use std::path::Path;

use mteb_measures::random::SplitMix64;
use mteb_report::reading::{Checks, Options};
use serde_json::{Map, Value, json};

use crate::{Fault, Work};

const MODELS: usize = 10;
const TASKS: usize = 40;
const SUBSETS: usize = 4;

pub fn read(folder: &Path) -> Result<Work, Fault> {
    let folder = folder.join("results");
    let mut random = SplitMix64::new(7);
    for model in 0..MODELS {
        let place = folder.join(format!("made__model-{model}/1"));
        fs::create_dir_all(&place)?;
        for task in 0..TASKS {
            let name = format!("Made{task}");
            fs::write(place.join(format!("{name}.json")), result_file(&mut random, &name).to_string())?;
        }
    }
    Ok(Box::new(move || {
        let options = Options { index: None, checks: Checks::All, wanted: &|_| true, main_score: &|_| None };
        let found = mteb_report::reading::read(std::slice::from_ref(&folder), &options)?;
        Ok(found.folders.iter().map(|folder| folder.files.len()).sum())
    }))
}

fn result_file(random: &mut SplitMix64, task: &str) -> Value {
    let subsets: Vec<Value> = (0..SUBSETS).map(|subset| entry(random, subset)).collect();
    json!({
        "dataset_revision": "0000000000000000000000000000000000000001",
        "task_name": task,
        "mteb_version": "2.26.24",
        "scores": { "test": subsets },
        "evaluation_time": 1.5,
        "kg_co2_emissions": null,
        "date": 1_750_000_000.0,
    })
}

/// The scores of a subset, with the measures of a retrieval.
fn entry(random: &mut SplitMix64, subset: usize) -> Value {
    let mut scores = Map::new();
    for measure in ["ndcg", "map", "recall", "precision", "mrr", "hit_rate"] {
        for cut in [1, 3, 5, 10, 20, 100, 1000] {
            scores.insert(format!("{measure}_at_{cut}"), json!(random.below(100_000) as f64 / 100_000.0));
        }
    }
    scores.insert("main_score".to_owned(), scores["ndcg_at_10"].clone());
    scores.insert("hf_subset".to_owned(), json!(format!("subset-{subset}")));
    scores.insert("languages".to_owned(), json!(["ind-Latn"]));
    Value::Object(scores)
}
