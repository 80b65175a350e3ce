//! What weights cost in memory: those that are computed with as they are stay pages of their file, and of those that are converted
//! the file's pages go.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::fs;
use std::path::Path;

use golden::{config, encode_with, golden_folder, rows, texts, worst};
use mteb_plugin_torch::TorchEncoder;
use serde_json::Value;
use tch::{Device, Kind, Tensor};

/// Rows of the table of tokens, most of which no tokenizer asks for.
const ROWS: i64 = 1_500_000;
/// Numbers in a row.
const WIDTH: i64 = 16;
/// Bytes of the table in float32.
const BYTES: u64 = (ROWS * WIDTH * 4) as u64;

/// The golden BERT with a far larger table of tokens, its weights in the number format `kind`.
fn with_large_table(folder: &Path, kind: Kind) {
    let source = golden_folder("models/bert");
    for name in [
        "config.json",
        "modules.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ] {
        fs::copy(source.join(name), folder.join(name)).unwrap();
    }
    fs::create_dir(folder.join("1_Pooling")).unwrap();
    fs::copy(source.join("1_Pooling/config.json"), folder.join("1_Pooling/config.json")).unwrap();
    let path = folder.join("config.json");
    let mut values: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    values["vocab_size"] = ROWS.into();
    fs::write(&path, values.to_string()).unwrap();
    let tensors = Tensor::read_safetensors(source.join("model.safetensors")).unwrap();
    let larger = |(name, tensor): &(String, Tensor)| {
        let tensor = if name.ends_with("word_embeddings.weight") {
            let more = Tensor::zeros([ROWS - tensor.size()[0], WIDTH], (Kind::Float, Device::Cpu));
            Tensor::cat(&[tensor, &more], 0)
        } else {
            tensor.shallow_clone()
        };
        (name.clone(), tensor.to_kind(kind))
    };
    let tensors: Vec<(String, Tensor)> = tensors.iter().map(larger).collect();
    Tensor::write_safetensors(&tensors, folder.join("model.safetensors")).unwrap();
}

/// Bytes of a field of what the system says of this process.
fn field(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

// One test: the memory is that of the whole process.
#[test]
fn weights_are_in_memory_once_at_most() {
    // What libtorch takes for itself is taken before.
    let bert = golden_folder("models/bert");
    let texts = texts(&golden_folder("texts.json"));
    encode_with(&mut TorchEncoder::open(&config(&bert)).unwrap(), &texts, "");

    let folder = tempfile::tempdir().unwrap();
    with_large_table(folder.path(), Kind::Float);
    let before = field("RssAnon:");
    let mut model = TorchEncoder::open(&config(folder.path())).unwrap();
    let found = encode_with(&mut model, &texts, "");
    let own = field("RssAnon:").saturating_sub(before);
    assert!(
        own < BYTES / 4,
        "{own} bytes of its own for {BYTES} bytes that the file holds as they are needed"
    );
    let (difference, _) = worst(&found, &rows(&bert.join("expected.safetensors"), "rows"));
    assert!(difference <= 1e-5, "{difference:e}");
    drop(model);

    let folder = tempfile::tempdir().unwrap();
    with_large_table(folder.path(), Kind::BFloat16);
    let before = field("VmRSS:");
    let mut model = TorchEncoder::open(&config(folder.path())).unwrap();
    encode_with(&mut model, &texts, "");
    let all = field("VmRSS:").saturating_sub(before);
    assert!(all <= BYTES / 10 * 11, "{all} bytes for {BYTES} bytes in the number format of the computation");
}
