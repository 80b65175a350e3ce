//! Tokenizers of the families that embedding models have, as transformers' classes save them and as folders of models lay them out: none of
//! them is refused, and all give what sentence-transformers gives.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::collections::BTreeMap;
use std::fs;

use golden::{config, copy, encode_with, golden_folder, worst};
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What sentence-transformers gave, as `tokenizer_families.py` wrote it.
#[derive(Deserialize)]
struct Families {
    texts: Vec<String>,
    tokenizers: Vec<Map<String, Value>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    family: String,
    layout: String,
    checkpoint: String,
    /// Number of its `tokenizer.json`, and the keys that it has instead.
    tokenizer: usize,
    other: Map<String, Value>,
    /// The files beside that one.
    files: BTreeMap<String, Value>,
    verdict: Vec<Vec<f32>>,
}

#[test]
fn no_tokenizer_of_a_known_family_is_refused_or_read_otherwise() {
    let text = fs::read_to_string(golden_folder("tokenizer_families.json")).unwrap();
    let Families { texts, tokenizers, cases } = serde_json::from_str(&text).unwrap();
    assert!(cases.len() >= 150, "{}", cases.len());
    let mut faults = Vec::new();
    for Case { family, layout, checkpoint, tokenizer, other, mut files, verdict } in cases {
        let folder = copy(&checkpoint);
        for name in ["tokenizer_config.json", "special_tokens_map.json"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
        let mut own = tokenizers[tokenizer].clone();
        own.extend(other);
        files.insert("tokenizer.json".to_owned(), own.into());
        for (name, content) in files {
            fs::write(folder.path().join(name), content.to_string()).unwrap();
        }
        let case = format!("{family} on {checkpoint}, {layout}");
        let mut model = match TorchEncoder::open(&config(folder.path())) {
            Ok(model) => model,
            Err(error) => {
                faults.push(format!("{case}: refused: {error}"));
                continue;
            }
        };
        let (difference, row) = worst(&encode_with(&mut model, &texts, ""), &verdict);
        let size = verdict.iter().flatten().fold(1.0_f32, |largest, value| largest.max(value.abs()));
        if difference > 1e-5 * size {
            faults.push(format!("{case}: text {row} differs by {difference:e}"));
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}
