//! Every architecture on a tiny random checkpoint, and the real all-MiniLM-L6-v2: our vectors are those that
//! sentence-transformers gave. The model cards of the registries have architectures that run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod golden;

use std::fs;
use std::path::Path;

use golden::{config, encode, encode_with, golden_folder, minilm, rows, texts, worst};
use mteb_card::ModelCard;
use mteb_plugin_api::Brackets;
use mteb_plugin_api::v1::{Model, ModelConfig, Role};
use mteb_plugin_torch::{TorchEncoder, known_architectures};

/// The prompt with which the script made the rows called `prompted`.
const PROMPT: &str = "Cari bagian teks: ";

/// Compares the rows of all texts, whatever the order of the texts and the texts beside them.
fn equals_the_reference(name: &str) -> TorchEncoder {
    let folder = golden_folder("models").join(name);
    let mut model = TorchEncoder::open(&config(&folder)).unwrap();
    let mut texts = texts(&golden_folder("texts.json"));
    let mut expected = rows(&folder.join("expected.safetensors"), "rows");
    compare(&mut model, &texts, &expected, "");
    texts.reverse();
    expected.reverse();
    compare(&mut model, &texts, &expected, "");
    for number in [0, 3, 17, 40] {
        compare(&mut model, &texts[number..=number], &expected[number..=number], "");
    }
    model
}

/// Compares the rows of all texts with a prompt before them.
fn equals_the_reference_with_a_prompt(name: &str) {
    let mut model = equals_the_reference(name);
    let expected = rows(&golden_folder("models").join(name).join("expected.safetensors"), "prompted");
    compare(&mut model, &texts(&golden_folder("texts.json")), &expected, PROMPT);
}

fn compare(model: &mut TorchEncoder, texts: &[String], expected: &[Vec<f32>], prompt: &str) {
    let found = encode_with(model, texts, prompt);
    let (difference, text) = worst(&found, expected);
    // Rows that are not of length 1 are compared in proportion to their size.
    let size = expected[text].iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    assert!(difference <= 1e-5 * size, "{difference:e} for {:?}", texts[text]);
}

#[test]
fn bert() {
    equals_the_reference_with_a_prompt("bert");
}

#[test]
fn bert_with_every_way_to_pool_a_dense_layer_and_weights_of_torch_save() {
    equals_the_reference_with_a_prompt("bert-every-pooling");
}

#[test]
fn bert_below_a_prefix_in_parts_and_without_modules() {
    equals_the_reference("bert-plain");
}

#[test]
fn roberta_made_lower_case() {
    equals_the_reference("roberta");
}

#[test]
fn xlm_roberta() {
    equals_the_reference_with_a_prompt("xlm-roberta");
}

#[test]
fn distilbert_with_a_dense_layer_without_bias() {
    equals_the_reference("distilbert");
}

#[test]
fn albert_with_weights_of_an_old_torch_save() {
    equals_the_reference("albert");
}

#[test]
fn mpnet_with_relative_positions() {
    equals_the_reference("mpnet");
}

#[test]
fn t5_encoder_with_dense_layer() {
    equals_the_reference("t5");
}

#[test]
fn t5_encoder_with_gates() {
    equals_the_reference("t5-gated");
}

#[test]
fn umt5_encoder_with_biases_in_every_layer() {
    equals_the_reference("umt5");
}

#[test]
fn modernbert_with_windows() {
    equals_the_reference("modernbert");
}

#[test]
fn gpt_neo_with_weighted_mean() {
    equals_the_reference("gpt-neo");
}

#[test]
fn gpt_neo_with_brackets_that_tell_queries_from_documents() {
    let brackets = Brackets { query: ["[", "]"].map(str::to_owned), document: ["{", "}"].map(str::to_owned) };
    let config = ModelConfig { brackets: Some(brackets), ..config(&golden_folder("models/gpt-neo")) };
    let mut model = TorchEncoder::open(&config).unwrap();
    assert_eq!(model.info().prompts.brackets, config.brackets);
    let texts = texts(&golden_folder("texts.json"));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let dimension = model.info().dimension as usize;
    for (role, name) in [(Role::Query, "queries"), (Role::Document, "documents"), (Role::None, "queries")] {
        let mut out = vec![f32::NAN; texts.len() * dimension];
        model.encode(&texts, role, "", &mut out).unwrap();
        let found: Vec<Vec<f32>> = out.chunks(dimension).map(<[f32]>::to_vec).collect();
        let expected = rows(&golden_folder("models/sgpt/expected.safetensors"), name);
        let (difference, text) = worst(&found, &expected);
        assert!(difference <= 1e-5, "{difference:e} for {:?}, {name}", texts[text]);
    }
}

#[test]
fn a_text_is_cut_where_it_is_asked_for() {
    let folder = golden_folder("models/bert");
    let open = |wanted, otherwise| {
        let config = ModelConfig { max_tokens: wanted, max_tokens_otherwise: otherwise, ..config(&folder) };
        TorchEncoder::open(&config).unwrap().info().max_tokens
    };
    assert_eq!([open(None, None), open(None, Some(7)), open(Some(7), None)], [Some(40), Some(40), Some(7)]);
}

#[test]
fn gpt_j_with_neighbours_turned() {
    equals_the_reference("gpt-j");
}

#[test]
fn bloom_with_distances_for_positions() {
    equals_the_reference("bloom");
}

#[test]
fn qwen2_with_last_token() {
    equals_the_reference("qwen2");
}

#[test]
fn qwen2_in_both_directions() {
    equals_the_reference("qwen2-both-directions");
}

#[test]
fn qwen3_with_last_token() {
    equals_the_reference_with_a_prompt("qwen3");
}

#[test]
fn llama_as_a_plain_language_model() {
    equals_the_reference("llama");
}

#[test]
fn mistral_with_a_window() {
    equals_the_reference("mistral");
}

#[test]
fn gemma3_in_both_directions_with_two_dense_layers() {
    equals_the_reference("gemma3");
}

#[test]
fn gemma3_in_one_direction() {
    equals_the_reference("gemma3-causal");
}

#[test]
fn nomic_bert() {
    equals_the_reference("nomic-bert");
}

#[test]
fn gte() {
    equals_the_reference("gte");
}

#[test]
fn gte_as_its_own_repository_has_it() {
    equals_the_reference("gte-own");
}

#[test]
fn bert_with_vocab_txt_in_place_of_a_tokenizer_json() {
    equals_the_reference("bert-vocab-txt");
}

#[test]
fn roberta_with_vocab_json_and_merges_in_place_of_a_tokenizer_json() {
    equals_the_reference("roberta-merges");
}

#[test]
fn t5_with_a_model_file_of_sentencepiece() {
    equals_the_reference("t5-pieces");
}

#[test]
fn xlm_roberta_with_a_model_file_of_sentencepiece() {
    equals_the_reference("xlm-roberta-pieces");
}

#[test]
fn averaged_word_vectors_with_weights() {
    equals_the_reference("words");
}

#[test]
fn lstm_over_word_vectors_in_both_directions() {
    equals_the_reference("lstm");
}

#[test]
fn laser_with_its_own_tokenizer() {
    equals_the_reference("laser");
}

#[test]
fn static_embeddings_of_model2vec() {
    equals_the_reference("static");
}

#[test]
fn a_folder_saved_by_release_6() {
    equals_the_reference("saved-by-release-6");
}

#[test]
fn five_hundred_varied_texts_have_the_vectors_of_sentence_transformers() {
    let Some(folder) = minilm() else { return };
    let golden = golden_folder("minilm");
    let expected: Vec<Vec<f32>> =
        (0..3).flat_map(|part| rows(&golden.join(format!("rows-{part}.safetensors")), "rows")).collect();
    let texts = texts(&golden.join("texts.json"));
    assert_eq!((texts.len(), expected.len()), (500, 500));
    let found = encode(&folder, &texts, "");
    let (difference, text) = worst(&found, &expected);
    eprintln!("largest difference {difference:e}");
    assert!(difference <= 1e-5, "{difference:e} for {:?}", texts[text]);
}

#[test]
fn every_card_has_its_form_its_file_name_and_an_architecture_that_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries/models");
    let mut count = 0;
    // Those of the imported models say what these are, not whether this plugin runs them.
    let is_file = |entry: &fs::DirEntry| entry.path().is_file();
    for entry in fs::read_dir(folder).unwrap().flatten().filter(is_file) {
        let card = ModelCard::from_toml(&fs::read_to_string(entry.path()).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
        let name = format!("{}.toml", card.name.replace('/', "__"));
        assert_eq!(entry.file_name().to_string_lossy(), name);
        assert_eq!(card.schema, 1, "{name}");
        assert_eq!(card.dimension.is_none(), card.cross_encoder, "{name}");
        // Nothing is known of the insides of a model behind an endpoint, or of one that Python loads.
        if card.api.is_some() || card.architecture.is_none() {
            continue;
        }
        let architecture = card.architecture.expect("an architecture");
        let others = ["static", "word-embeddings", "bilstm"];
        assert!(
            known_architectures().contains(&architecture.as_str()) || others.contains(&architecture.as_str()),
            "{name}: {architecture}"
        );
        count += 1;
    }
    assert!(count >= 20, "{count} cards");
}

#[test]
fn the_host_reads_every_architecture_from_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/architectures");
    let mut declared = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        // As in `host/cli/build.rs`.
        let names = text.split("model_type: \"").skip(1).filter_map(|rest| rest.split('"').next());
        declared.extend(names.map(str::to_owned));
    }
    declared.sort_unstable();
    assert_eq!(declared, known_architectures());
}
