//! What is read: data files as JSON lines and as Parquet, a registry of made cards, and result
//! files of a leaderboard.

#[path = "../../src/bench/growth/registry.rs"]
mod registry;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use mteb_card::Packs;
use mteb_data::read_file;
use mteb_measures::random::SplitMix64;
use mteb_registry::Registries;
use mteb_report::reading::{Checks, Options};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value, json};

use crate::{Fault, Work, made};

pub fn parse_jsonl(folder: &Path) -> Result<Work, Fault> {
    let path = folder.join("corpus.jsonl");
    let lines = corpus(15_000).map(|[id, title, text]| json!({"_id": id, "title": title, "text": text}));
    fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>())?;
    Ok(Box::new(move || Ok(read_file(&path)?.rows())))
}

pub fn parse_parquet(folder: &Path) -> Result<Work, Fault> {
    const SCHEMA: &str = "message corpus {
        OPTIONAL BYTE_ARRAY _id (UTF8); OPTIONAL BYTE_ARRAY title (UTF8); OPTIONAL BYTE_ARRAY text (UTF8);
    }";
    let path = folder.join("corpus.parquet");
    let rows: Vec<[String; 3]> = corpus(12_000).collect();
    let compression = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let properties = WriterProperties::builder().set_compression(compression).build();
    let schema = parse_message_type(SCHEMA)?;
    let mut writer = SerializedFileWriter::new(File::create(&path)?, Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for index in 0..3 {
        let mut column = group.next_column()?.ok_or("expected a column")?;
        let cells: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row[index].as_str())).collect();
        let levels = vec![1; cells.len()];
        column.typed::<ByteArrayType>().write_batch(&cells, Some(&levels), None)?;
        column.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(Box::new(move || Ok(read_file(&path)?.rows())))
}

/// Id, title and text of so many documents; every tenth text has quotes and letters beyond ASCII.
fn corpus(rows: usize) -> impl Iterator<Item = [String; 3]> {
    let mut random = SplitMix64::new(6);
    (0..rows).map(move |row| {
        let (title, mut text) = (made::text(&mut random, 4), made::text(&mut random, 40));
        if row % 10 == 0 {
            text.push_str(" \u{201c}kata\u{201d} \"é\"\n");
        }
        [format!("doc-{row}"), title, text]
    })
}

const CARDS: usize = 200;

/// No plugin.
struct NoPacks;

impl Packs for NoPacks {
    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn cards(&self, _: &str) -> Option<&BTreeMap<String, String>> {
        None
    }

    fn has_refused(&self) -> bool {
        false
    }
}

pub fn read_cards(folder: &Path) -> Result<Work, Fault> {
    registry::write(folder, CARDS)?;
    let file = folder.join("registry.toml").display().to_string();
    Ok(Box::new(move || {
        let found = Registries::load(std::slice::from_ref(&file), &NoPacks);
        if let Some(fault) = found.faults.first() {
            return Err(format!("expected cards without a fault, found: {fault:?}").into());
        }
        Ok(found.loaded.iter().map(|registry| registry.tasks.len()).sum())
    }))
}

const MODELS: usize = 10;
const TASKS: usize = 40;
const SUBSETS: usize = 4;

pub fn read_results(folder: &Path) -> Result<Work, Fault> {
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
