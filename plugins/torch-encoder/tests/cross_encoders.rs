//! Cross-encoders on tiny random checkpoints: our scores are those that the reference gave.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use golden::{config, golden_folder, numbers, texts};
use mteb_plugin_api::v1::{Model, Role, code};
use mteb_plugin_torch::TorchEncoder;
use tch::Tensor;

fn scores(model: &mut TorchEncoder, instruction: &str) -> Vec<f32> {
    let texts = texts(&golden_folder("texts.json"));
    let queries: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut documents = queries.clone();
    documents.rotate_left(1);
    let mut out = vec![f32::NAN; queries.len()];
    model.predict(&queries, &documents, instruction, &mut out).unwrap();
    out
}

fn equals_the_reference(name: &str) -> TorchEncoder {
    let folder = golden_folder("models").join(name);
    let mut model = TorchEncoder::open(&config(&folder)).unwrap();
    assert!(model.info().cross_encoder);
    compare(&scores(&mut model, ""), &numbers(&folder.join("expected.safetensors"), "scores"));
    model
}

fn compare(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (pair, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= 1e-5 * expected.abs().max(1.0),
            "pair {pair}: {found} {expected}"
        );
    }
}

#[test]
fn bert() {
    equals_the_reference("cross-bert");
}

#[test]
fn xlm_roberta_without_a_last_activation() {
    equals_the_reference("cross-xlm-roberta");
}

#[test]
fn distilbert() {
    equals_the_reference("cross-distilbert");
}

#[test]
fn modernbert_with_mean_pooling() {
    equals_the_reference("cross-modernbert");
}

#[test]
fn qwen3_that_answers_yes_or_no() {
    let mut model = equals_the_reference("qwen3-reranker");
    let file = golden_folder("models/qwen3-reranker/expected.safetensors");
    compare(&scores(&mut model, "Judge well."), &numbers(&file, "instructed"));
}

#[test]
fn a_cross_encoder_does_not_encode_and_an_encoder_does_not_predict() {
    let mut cross = TorchEncoder::open(&config(&golden_folder("models/cross-bert"))).unwrap();
    assert_eq!(cross.encode(&["a"], Role::None, "", &mut [0.0]).unwrap_err().code, code::UNSUPPORTED);
    let mut encoder = TorchEncoder::open(&config(&golden_folder("models/bert"))).unwrap();
    assert_eq!(encoder.predict(&["a"], &["b"], "", &mut [0.0]).unwrap_err().code, code::UNSUPPORTED);
}

/// With an output layer of its own that is the negative of the table of tokens, "yes" is as likely as "no" was.
#[test]
fn qwen3_with_an_output_layer_of_its_own_answers_by_it() {
    let (source, home) = (golden_folder("models/qwen3-reranker"), tempfile::tempdir().unwrap());
    // Files of a language model do not say that they score pairs; the name does.
    let folder = home.path().join("qwen3-reranker");
    std::fs::create_dir(&folder).unwrap();
    for name in ["config.json", "tokenizer.json", "tokenizer_config.json"] {
        std::fs::copy(source.join(name), folder.join(name)).unwrap();
    }
    let mut tensors = Tensor::read_safetensors(source.join("model.safetensors")).unwrap();
    let table = tensors.iter().find(|(name, _)| name == "model.embed_tokens.weight").unwrap().1.neg();
    tensors.push(("lm_head.weight".to_owned(), table));
    Tensor::write_safetensors(&tensors, folder.join("model.safetensors")).unwrap();
    let mut model = TorchEncoder::open(&config(&folder)).unwrap();
    let tied = numbers(&source.join("expected.safetensors"), "scores");
    compare(&scores(&mut model, ""), &tied.iter().map(|score| 1.0 - score).collect::<Vec<_>>());
}
