//! Every key of the configuration of each architecture, flipped, those that only others know, and several at once that say how each other
//! is read: what transformers computes otherwise is computed here, or refused. The verdicts are a table of the project;
//! `MTEB_WRITE_TABLES=1` writes it anew.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use golden::{config, copy, golden_folder, worst};
use mteb_plugin_api::v1::{Model, ModelConfig, Role};
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What transformers made of every value, as `config_keys.py` wrote it.
#[derive(Deserialize)]
struct Tried {
    texts: Vec<String>,
    bases: BTreeMap<String, Base>,
    /// Architecture, key (several as `a + b`), value (an object with those of all), and the vectors, `same` or `fails`.
    cases: Vec<(String, String, Value, Value)>,
}

#[derive(Deserialize)]
struct Base {
    checkpoint: String,
    config: Map<String, Value>,
    rows: Vec<Vec<f32>>,
}

/// What stands between keys that are changed together.
const TOGETHER: &str = " + ";

/// How many values of a key had which outcome.
#[derive(Default)]
struct Outcomes {
    /// Other numbers there, the same here.
    computed: usize,
    /// Other numbers there, refused here.
    refused: usize,
    /// The same numbers there and here.
    same: usize,
    /// The same numbers there, refused here.
    strict: usize,
    /// Refused there.
    fails: usize,
    /// Other numbers here than there.
    faults: Vec<String>,
}

impl Outcomes {
    fn verdict(&self) -> &'static str {
        match self {
            Self { faults, .. } if !faults.is_empty() => "FAULT",
            Self { computed: 0, refused: 0, same: 0, strict: 0, .. } => "no other value runs",
            Self { computed: 0, refused: 0, .. } => "changes nothing",
            Self { refused: 0, .. } => "computed",
            Self { computed: 0, .. } => "refused",
            _ => "computed or refused",
        }
    }
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries/config-keys.tsv")
}

/// Our vectors with `values` in the place of a checkpoint's configuration, or none if it is refused.
fn ours(folder: &Path, values: &Map<String, Value>, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
    fs::write(folder.join("config.json"), serde_json::to_string(values).unwrap()).unwrap();
    let mut model = TorchEncoder::open(&ModelConfig { threads: 1, ..config(folder) }).ok()?;
    let width = model.info().dimension as usize;
    let mut out = vec![f32::NAN; texts.len() * width];
    model.encode(texts, Role::None, "", &mut out).ok()?;
    Some(out.chunks(width).map(<[f32]>::to_vec).collect())
}

/// True of vectors that are equal as far as the arithmetic of two libraries goes.
fn are_equal(found: &[Vec<f32>], expected: &[Vec<f32>]) -> bool {
    let size = expected.iter().flatten().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(row, other)| row.len() == other.len())
        && worst(found, expected).0 <= 1e-5 * size
}

#[test]
fn a_key_that_changes_numbers_is_computed_or_refused() {
    let text = fs::read_to_string(golden_folder("config_keys.json")).unwrap();
    let Tried { texts, bases, cases } = serde_json::from_str(&text).unwrap();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let folders: BTreeMap<&str, _> =
        bases.iter().map(|(name, base)| (name.as_str(), copy(&base.checkpoint))).collect();
    let mut found: BTreeMap<(&str, &str), Outcomes> = BTreeMap::new();
    for (name, base) in &bases {
        let rows = ours(folders[name.as_str()].path(), &base.config, &texts);
        assert!(rows.is_some_and(|rows| are_equal(&rows, &base.rows)), "{name} as it is");
    }
    for (name, key, value, verdict) in &cases {
        let base = &bases[name];
        let outcomes = found.entry((name, key)).or_default();
        let expected: Vec<Vec<f32>> = match verdict.as_str() {
            Some("fails") => {
                // Whoever computes what transformers refuses has no numbers to be held to.
                outcomes.fails += 1;
                continue;
            }
            Some(_) => base.rows.clone(),
            None => serde_json::from_value(verdict.clone()).unwrap(),
        };
        let mut values = base.config.clone();
        match value.as_object().filter(|_| key.contains(TOGETHER)) {
            Some(changes) => values.extend(changes.clone()),
            None => drop(values.insert(key.clone(), value.clone())),
        }
        let is_same = verdict.is_string();
        match ours(folders[name.as_str()].path(), &values, &texts) {
            None if is_same => outcomes.strict += 1,
            None => outcomes.refused += 1,
            Some(rows) if !are_equal(&rows, &expected) => outcomes.faults.push(value.to_string()),
            Some(_) if is_same => outcomes.same += 1,
            Some(_) => outcomes.computed += 1,
        }
    }
    let faults: Vec<String> = found
        .iter()
        .flat_map(|((name, key), outcomes)| {
            outcomes.faults.iter().map(move |value| format!("{name}: {key} = {value}"))
        })
        .collect();
    assert!(faults.is_empty(), "other numbers than transformers':\n{}", faults.join("\n"));
    let mut lines = vec!["architecture\tkey\tverdict\tcomputed\trefused\tsame\trefused though the same\trefused by transformers".to_owned()];
    lines.extend(found.iter().map(|((name, key), outcomes)| {
        let Outcomes { computed, refused, same, strict, fails, .. } = outcomes;
        format!("{name}\t{key}\t{}\t{computed}\t{refused}\t{same}\t{strict}\t{fails}", outcomes.verdict())
    }));
    let written = lines.join("\n") + "\n";
    if std::env::var_os("MTEB_WRITE_TABLES").is_some() {
        fs::write(table(), &written).unwrap();
    }
    assert!(bases.len() >= 21 && found.len() > 400, "{} architectures, {} keys", bases.len(), found.len());
    assert_eq!(
        fs::read_to_string(table()).unwrap_or_default(),
        written,
        "MTEB_WRITE_TABLES=1 writes the table anew"
    );
}
