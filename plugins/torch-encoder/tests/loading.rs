//! What the reference's loaders set in place of a model's files: our rows and scores are those of its wrappers, told the same.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use golden::{config, encode_with, golden_folder, numbers, rows, texts, worst};
use mteb_plugin_api::v1::{LOADING, Model, code};
use mteb_plugin_torch::{TorchEncoder, TorchError};
use serde_json::{Value, json};

/// The prompt of the script that made the rows.
const PROMPT: &str = "Cari bagian teks: ";

fn open(checkpoint: &str, loading: Value) -> Result<TorchEncoder, TorchError> {
    let mut config = config(&golden_folder("models").join(checkpoint));
    config.options.insert(LOADING.to_owned(), loading);
    TorchEncoder::open(&config)
}

/// Compares the rows of all texts, and fails where the settings change nothing.
fn equals_the_wrapper(case: &str, checkpoint: &str, loading: Value, prompt: &str) -> TorchEncoder {
    let texts = texts(&golden_folder("texts.json"));
    let expected = rows(&golden_folder("loading.safetensors"), case);
    let mut model = open(checkpoint, loading).unwrap();
    let found = encode_with(&mut model, &texts, prompt);
    let (difference, text) = worst(&found, &expected);
    let size = expected[text].iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    assert!(difference <= 1e-5 * size, "{case}: {difference:e} for {:?}", texts[text]);
    let by_itself = encode_with(&mut open(checkpoint, json!({})).unwrap(), &texts, prompt);
    let is_other = by_itself[0].len() != expected[0].len() || worst(&by_itself, &expected).0 > 1e-3;
    assert!(is_other, "{case}: the settings make a difference");
    model
}

#[test]
fn the_token_that_ends_a_text_takes_the_place_of_what_the_tokenizer_puts_around_it() {
    equals_the_wrapper("eos", "mistral", json!({"add_eos_token": true}), "");
    equals_the_wrapper("bos-eos", "mistral", json!({"add_bos_token": true, "add_eos_token": true}), "");
    equals_the_wrapper("eos-other", "qwen3", json!({"add_eos_token": true}), "");
}

#[test]
fn a_text_is_cut_where_the_loader_says_and_still_ends_with_its_token() {
    let cut = equals_the_wrapper("length", "bert", json!({"max_tokens": 9}), "");
    assert_eq!(cut.info().max_tokens, Some(9));
    equals_the_wrapper("eos-cut", "mistral", json!({"add_eos_token": true, "max_tokens": 12}), "");
}

#[test]
fn what_the_user_wants_goes_before_what_the_loader_sets() {
    let mut config = config(&golden_folder("models").join("bert"));
    config.options.insert(LOADING.to_owned(), json!({"max_tokens": 9}));
    config.max_tokens = Some(7);
    assert_eq!(TorchEncoder::open(&config).unwrap().info().max_tokens, Some(7));
}

#[test]
fn pooling_leaves_the_prompt_out() {
    equals_the_wrapper("prompt", "bert", json!({"include_prompt": false}), PROMPT);
    let both = json!({"include_prompt": false, "add_eos_token": true});
    equals_the_wrapper("prompt-eos", "mistral", both, PROMPT);
}

#[test]
fn rows_are_cut_and_normalised_at_last() {
    let short = equals_the_wrapper("dimension", "bert", json!({"dimension": 5}), "");
    assert_eq!(short.info().dimension, 5);
    equals_the_wrapper("layer-norm", "bert", json!({"row_steps": ["layer-norm", "normalize"]}), "");
}

#[test]
fn scores_of_pairs_are_those_of_the_network() {
    let mut model = open("cross-bert", json!({"raw_scores": true, "max_tokens": 16})).unwrap();
    let texts = texts(&golden_folder("texts.json"));
    let queries: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut documents = queries.clone();
    documents.rotate_left(1);
    let mut found = vec![f32::NAN; queries.len()];
    model.predict(&queries, &documents, "", &mut found).unwrap();
    let expected = numbers(&golden_folder("loading.safetensors"), "raw-scores");
    for (pair, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{pair}: {found} {expected}");
    }
    assert!(expected.iter().any(|score| !(0.0..=1.0).contains(score)));
}

#[test]
fn settings_that_cannot_be_obeyed_are_refused() {
    let refusal = |checkpoint: &str, loading: Value| open(checkpoint, loading).err().unwrap().to_string();
    let said = refusal("qwen3", json!({"add_bos_token": true}));
    assert!(said.contains("expected a `bos_token`, which the reference puts around each text"), "{said}");
    let said = refusal("bert", json!({"add_ends": true}));
    assert!(said.starts_with("the option `loading` of the model: unknown field `add_ends`"), "{said}");
    let raw = open("qwen3-reranker", json!({"raw_scores": true})).err().unwrap();
    assert_eq!(mteb_plugin_api::v1::PluginError::from(raw).code, code::UNSUPPORTED);
}
