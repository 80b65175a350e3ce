//! Folders that are no model of ours are refused with one line that says what was expected, what was found, and where.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::fs;
use std::path::Path;

use golden::{config, copy, edit, golden_folder, refusal, refusal_of, refused_with};
use mteb_plugin_api::v1::{Model, ModelConfig, PluginError, Role, code};
use mteb_plugin_torch::TorchEncoder;
use serde_json::Value;
use tch::Tensor;
use tokenizers::{AddedToken, Tokenizer};

fn cut(path: &Path, share: usize) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / share]).unwrap();
}

#[test]
fn no_folder() {
    let absent = Path::new("/no/such/folder");
    assert_eq!(refusal(absent), "FOLDER: expected a folder with a model, found none");
    let named = ModelConfig { name: "some/model".to_owned(), ..ModelConfig::default() };
    let line = refusal_of(&named, absent);
    assert!(
        line.starts_with("model some/model: expected a folder with the model's files, found none"),
        "{line}"
    );
}

#[test]
fn no_configuration() {
    let folder = copy("bert");
    fs::remove_file(folder.path().join("config.json")).unwrap();
    assert_eq!(refusal(folder.path()), "FOLDER/config.json: expected a JSON file, found none");
    fs::write(folder.path().join("config.json"), "{").unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER/config.json: expected JSON, found: EOF"), "{line}");
}

#[test]
fn a_configuration_without_a_number() {
    let folder = copy("bert");
    edit(&folder.path().join("config.json"), |values| drop(values.remove("hidden_size")));
    assert_eq!(
        refusal(folder.path()),
        "FOLDER/config.json: expected a whole number `hidden_size`, found none"
    );
}

#[test]
fn no_weights() {
    let folder = copy("bert");
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER: expected weights (model.safetensors, pytorch_model.bin"), "{line}");
}

#[test]
fn a_part_of_the_weights_is_absent() {
    let folder = copy("bert-plain");
    fs::remove_file(folder.path().join("model-00002-of-00002.safetensors")).unwrap();
    let expected = "FOLDER/model-00002-of-00002.safetensors: expected a part of the weights, found none";
    assert_eq!(refusal(folder.path()), expected);
}

#[test]
fn weights_that_are_cut() {
    for share in [2, 100, 100_000] {
        let folder = copy("bert");
        cut(&folder.path().join("model.safetensors"), share);
        let line = refusal(folder.path());
        let expected = "FOLDER/model.safetensors: expected weights, found a damaged or truncated file; download it again";
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn weights_of_torch_save_that_are_cut() {
    for (model, share) in [("bert-every-pooling", 2), ("albert", 2), ("albert", 20), ("albert", 10_000)] {
        let folder = copy(model);
        cut(&folder.path().join("pytorch_model.bin"), share);
        let line = refusal(folder.path());
        let expected = "FOLDER/pytorch_model.bin: expected weights, found a damaged or truncated file; download it again";
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn weights_of_torch_save_with_a_damaged_byte_crash_nothing() {
    for model in ["bert-every-pooling", "albert"] {
        let folder = copy(model);
        let path = folder.path().join("pytorch_model.bin");
        let bytes = fs::read(&path).unwrap();
        for place in (0..bytes.len().min(4000)).step_by(61) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x55;
            fs::write(&path, damaged).unwrap();
            // It may be refused or, where the byte means nothing, opened; only a crash would be wrong.
            drop(TorchEncoder::open(&config(folder.path())));
        }
    }
}

#[test]
fn a_weight_is_absent() {
    let folder = copy("bert");
    edit(&folder.path().join("config.json"), |values| {
        values.insert("num_hidden_layers".to_owned(), 3.into());
    });
    let expected = "FOLDER: weight `encoder.layer.2.attention.self.query.weight`: expected a tensor of shape [16, 16], \
                    found none";
    assert_eq!(refusal(folder.path()), expected);
}

#[test]
fn a_weight_of_another_shape() {
    let folder = copy("bert");
    edit(&folder.path().join("config.json"), |values| {
        values.insert("intermediate_size".to_owned(), 32.into());
    });
    let expected = "FOLDER: weight `encoder.layer.0.intermediate.dense.weight`: expected a tensor of shape [32, 16], \
                    found shape [24, 16]";
    assert_eq!(refusal(folder.path()), expected);
}

#[test]
fn an_unknown_architecture() {
    let folder = copy("bert");
    edit(&folder.path().join("config.json"), |values| {
        values.insert("model_type".to_owned(), "mamba".into());
    });
    let line = refusal(folder.path());
    assert!(
        line.starts_with("FOLDER/config.json: expected a model_type among albert, bert, bloom,"),
        "{line}"
    );
    assert!(line.ends_with("found: mamba"), "{line}");
    // The host names the library that may know it.
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
}

#[test]
fn code_in_the_repository_is_not_run() {
    let folder = copy("bert");
    edit(&folder.path().join("config.json"), |values| {
        values.insert("model_type".to_owned(), "own".into());
        values.insert("auto_map".to_owned(), serde_json::json!({ "AutoModel": "modeling.OwnModel" }));
    });
    let line = refusal(folder.path());
    let expected =
        "FOLDER/config.json: the model `own` needs code from its repository (`auto_map`), which is not run";
    assert!(line.starts_with(expected), "{line}");
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
}

#[test]
fn an_unknown_module() {
    let folder = copy("bert");
    let path = folder.path().join("modules.json");
    let modules = fs::read_to_string(&path).unwrap().replace("Normalize", "CNN");
    fs::write(&path, modules).unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER/modules.json: expected modules among Transformer,"), "{line}");
    assert!(line.ends_with("found: CNN"), "{line}");
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
}

#[test]
fn an_unknown_pooling() {
    let folder = copy("bert");
    edit(&folder.path().join("1_Pooling/config.json"), |values| {
        values.insert("pooling_mode".to_owned(), "median".into());
    });
    let line = refusal(folder.path());
    assert!(
        line.starts_with("FOLDER/1_Pooling/config.json: pooling_mode: expected one of cls, max,"),
        "{line}"
    );
}

#[test]
fn a_pooling_of_another_width() {
    let folder = copy("bert");
    edit(&folder.path().join("1_Pooling/config.json"), |values| {
        values.insert("word_embedding_dimension".to_owned(), 768.into());
    });
    let expected = "FOLDER/1_Pooling/config.json: embedding_dimension: expected 16, the width of the module before it, found 768";
    assert_eq!(refusal(folder.path()), expected);
}

#[test]
fn no_tokenizer() {
    let folder = copy("bert");
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER: expected a tokenizer (tokenizer.json, vocab.txt,"), "{line}");
}

#[test]
fn a_tokenizer_that_is_none() {
    let folder = copy("bert");
    fs::write(folder.path().join("tokenizer.json"), "{}").unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER/tokenizer.json: expected a tokenizer, found:"), "{line}");
}

#[test]
fn a_tokenizer_of_another_model() {
    let folder = copy("static");
    fs::copy(golden_folder("models/llama/tokenizer.json"), folder.path().join("tokenizer.json")).unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER: expected a tokenizer of at most "), "{line}");
    assert!(line.ends_with("the tokenizer belongs to another model"), "{line}");
}

#[test]
fn a_classifier_of_several_labels() {
    let folder = copy("cross-bert");
    let path = folder.path().join("model.safetensors");
    let mut tensors = Tensor::read_safetensors(&path).unwrap();
    for (_, tensor) in tensors.iter_mut().filter(|(name, _)| name == "classifier.weight") {
        *tensor = tensor.repeat([3, 1]);
    }
    Tensor::write_safetensors(&tensors, &path).unwrap();
    let expected =
        "FOLDER/config.json: expected a classifier with 1 label, as rerankers have, found 3 labels";
    assert_eq!(refusal(folder.path()), expected);
}

#[test]
fn a_token_beyond_the_vectors_of_the_model() {
    let folder = copy("bert");
    let path = folder.path().join("tokenizer.json");
    let mut tokenizer = Tokenizer::from_file(&path).unwrap();
    tokenizer.add_tokens([AddedToken::from("zebra", false)]).unwrap();
    tokenizer.save(&path, false).unwrap();
    let mut model = TorchEncoder::open(&config(folder.path())).unwrap();
    let mut out = [0.0; 16];
    model.encode(&["no such word"], Role::None, "", &mut out).unwrap();
    let error = model.encode(&["a zebra"], Role::None, "", &mut out).unwrap_err();
    let end = "the model does not have; the tokenizer belongs to another model";
    assert!(error.message.ends_with(end), "{}", error.message);
}

#[test]
fn an_unknown_device_and_number_format() {
    let folder = golden_folder("models/bert");
    let device = ModelConfig { device: "tpu".to_owned(), ..config(&folder) };
    let line = refusal_of(&device, &folder);
    assert_eq!(line, "expected a device among auto, cpu, cuda, cuda:N, found: tpu");
    let dtype = ModelConfig { dtype: "int4".to_owned(), ..config(&folder) };
    assert_eq!(refusal_of(&dtype, &folder), "expected a dtype among auto, f32, bf16, f16, found: int4");
    // Whether there is a GPU is for the plugin to find out: libtorch's part for GPUs is loaded by it.
    let cuda = ModelConfig { device: "cuda:0".to_owned(), ..config(&folder) };
    if let Err(error) = TorchEncoder::open(&cuda) {
        let line = error.to_string();
        let found = [
            "expected a libtorch with CUDA for `--device cuda:0`, found one without in ",
            "expected a CUDA device for `--device cuda:0`, found none; ",
        ];
        assert!(found.iter().any(|begin| line.starts_with(begin)), "{line}");
        assert!(line.contains("run with `--device cpu`"), "{line}");
    }
}

#[test]
fn a_device_without_a_folder_asks_whether_it_can_be_had() {
    let code_of = |device: &str| {
        let config = ModelConfig { device: device.to_owned(), ..ModelConfig::default() };
        PluginError::from(TorchEncoder::open(&config).err().unwrap()).code
    };
    assert_eq!([code_of("cpu"), code_of("tpu")], [code::NOT_FOUND, code::INVALID_INPUT]);
}

#[test]
fn wrong_input_is_no_failure_of_the_plugin() {
    let error = TorchEncoder::open(&config(Path::new("/no/such/folder"))).err().unwrap();
    assert_eq!(PluginError::from(error).code, code::INVALID_INPUT);
}

#[test]
fn pieces_that_are_damaged_or_of_another_kind() {
    let folder = copy("t5-pieces");
    edit(&folder.path().join("config.json"), |values| {
        values.insert("model_type".to_owned(), Value::from("albert"));
    });
    let line = refusal(folder.path());
    assert!(line.contains("FOLDER/spiece.model: expected unigrams of T5 or XLM-RoBERTa"), "{line}");
    let folder = copy("t5-pieces");
    cut(&folder.path().join("spiece.model"), 3);
    let line = refusal(folder.path());
    assert!(line.contains("FOLDER/spiece.model: expected a model file of SentencePiece"), "{line}");
}

#[test]
fn laser_without_its_dictionary_or_with_damaged_pieces() {
    let folder = copy("laser");
    fs::copy(golden_folder("models/bert-every-pooling/pytorch_model.bin"), folder.path().join("laser2.pt"))
        .unwrap();
    let line = refusal(folder.path());
    assert!(line.starts_with("FOLDER/laser2.pt: expected a dictionary, found"), "{line}");
    let folder = copy("laser");
    cut(&folder.path().join("laser2.spm"), 2);
    let line = refusal(folder.path());
    assert!(line.contains("FOLDER/laser2.spm: expected a model file of SentencePiece"), "{line}");
}

#[test]
fn a_bracket_of_several_tokens() {
    let brackets = mteb_plugin_api::Brackets {
        query: ["[[[ query".to_owned(), "]".to_owned()],
        document: ["{".to_owned(), "}".to_owned()],
    };
    let folder = golden_folder("models/gpt-neo");
    let config = ModelConfig { brackets: Some(brackets), ..config(&folder) };
    let line = refusal_of(&config, &folder);
    assert!(line.contains("expected a bracket of one token, found"), "{line}");
}
