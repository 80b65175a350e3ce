//! What is written: the text of a result file, and rows of the cache of embeddings.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use mteb_base::byte_size::ByteSize;
use mteb_cache::{EmbeddingCache, ModelIdentity};
use mteb_json::Json;
use mteb_measures::random::SplitMix64;
use serde_json::{Map, Value, json};

use crate::{Ceiling, Fault, Ground, Part, Work, group_digits, made};

const JSON: &str = "JSON, written";
const DISK: &str = "disk, written and flushed";

const SUBSETS: usize = 2000;
const SCORES: usize = 40;
const ROWS: usize = 50_000;
const DIMENSION: usize = 384;

/// More than all rows take.
const ROOM: ByteSize = ByteSize(1 << 32);

/// The ceilings and the parts.
pub fn prepare(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
    let (json, result) = result_file(ground)?;
    let (disk, rows) = rows(ground);
    Ok((vec![json, disk], vec![result, rows]))
}

/// A result file of many subsets, as the host writes it and by serde_json.
fn result_file(ground: &Ground) -> Result<(Ceiling, Part), Fault> {
    let mut random = SplitMix64::new(10);
    let subsets = ground.size(SUBSETS);
    let entries: Vec<Value> = (0..subsets).map(|subset| entry(&mut random, subset)).collect();
    let value = json!({ "task_name": "Made", "scores": { "test": entries } });
    let text = value.to_string();
    let own = Json::parse(&text)?;
    let ceiling = Ceiling {
        name: JSON,
        unit: "bytes",
        amount: text.len() as f64,
        work: Box::new(move || Ok(serde_json::to_vec(&value)?.len())),
    };
    let part = Part {
        name: "write, a result file",
        what: format!(
            "{} subsets × {SCORES} scores, {:.1} MB",
            group_digits(subsets),
            text.len() as f64 / 1e6
        ),
        needs: vec![(JSON, text.len() as f64)],
        work: Box::new(move || Ok(own.to_python(2).len())),
    };
    Ok((ceiling, part))
}

fn entry(random: &mut SplitMix64, subset: usize) -> Value {
    let score = |place| (format!("score_{place}"), json!(random.below(1_000_000) as f64 / 1_000_000.0));
    let mut scores: Map<String, Value> = (0..SCORES).map(score).collect();
    scores.insert("hf_subset".to_owned(), json!(format!("subset-{subset}")));
    Value::Object(scores)
}

/// Rows that the cache keeps, flushed to the disk, and as many bytes in one file.
fn rows(ground: &Ground) -> (Ceiling, Part) {
    let count = ground.size(ROWS);
    let rows = made::embeddings(&mut SplitMix64::new(11), count, DIMENSION, 40);
    let texts: Vec<String> = (0..count).map(|text| format!("text {text}")).collect();
    let bytes = count * DIMENSION * size_of::<f32>();
    let (file, root) = (ground.path("written.bin"), ground.path("cache"));
    let ceiling =
        Ceiling { name: DISK, unit: "bytes", amount: bytes as f64, work: write_file(file, vec![7; bytes]) };
    let part = Part {
        name: "write, rows of the cache",
        what: format!("{} rows × {DIMENSION}, {:.1} MB", group_digits(count), bytes as f64 / 1e6),
        needs: vec![(DISK, bytes as f64)],
        work: write_rows(root, rows, texts),
    };
    (ceiling, part)
}

fn write_file(path: PathBuf, bytes: Vec<u8>) -> Work {
    Box::new(move || {
        let mut file = File::create(&path)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        Ok(bytes.len())
    })
}

fn write_rows(root: PathBuf, rows: Vec<f32>, texts: Vec<String>) -> Work {
    Box::new(move || {
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        let identity = ModelIdentity {
            description: json!({ "name": "made" }),
            hash: [7; 32],
            dimension: DIMENSION,
            lasts: true,
        };
        let mut cache = EmbeddingCache::open(&root, identity, ROOM);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let keys = cache.keys(0, "", &texts);
        for (key, row) in keys.iter().zip(rows.chunks_exact(DIMENSION)) {
            cache.insert(*key, row);
            cache.flush_if_due();
        }
        cache.flush();
        match cache.take_warnings().first() {
            None => Ok(keys.len()),
            Some(warning) => Err(warning.clone().into()),
        }
    })
}
