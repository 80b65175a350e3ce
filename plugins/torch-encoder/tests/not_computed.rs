//! Folders of which the model's makers would compute more than this plugin does are refused, with what and why.
//! Of damaged folders, what sentence-transformers refuses is refused; what it runs has its vectors, or is.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::fs;
use std::path::Path;
use std::process::Command;

use golden::{config, copy, edit, golden_folder, refusal, refused_with, worst};
use mteb_plugin_api::v1::{Model, ModelConfig, Role, code};
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;
use serde_json::Value;
use tch::Tensor;

/// A value of a checkpoint's configuration that changes its numbers, and the begin of the refusal.
fn refuses_a_key(model: &str, key: &str, value: Value, expected: &str) {
    let folder = copy(model);
    edit(&folder.path().join("config.json"), |values| drop(values.insert(key.to_owned(), value)));
    let line = refusal(folder.path());
    assert!(line.starts_with(&format!("FOLDER/config.json: `{key}`: {expected}")), "{line}");
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
}

#[test]
fn keys_that_are_not_computed() {
    let quantised = serde_json::json!({ "quant_method": "bitsandbytes", "load_in_8bit": true });
    refuses_a_key("bert", "quantization_config", quantised, "the checkpoint is quantised (bitsandbytes)");
    refuses_a_key("bert", "add_cross_attention", true.into(), "expected none");
    refuses_a_key("qwen3", "use_bidirectional_attention", true.into(), "expected none");
    refuses_a_key("llama", "partial_rotary_factor", 0.5.into(), "expected 1");
    refuses_a_key("gemma3", "attn_logit_softcapping", 30.0.into(), "expected none");
    refuses_a_key("nomic-bert", "rotary_emb_interleaved", true.into(), "expected none");
    let code = serde_json::json!({ "AutoModel": "modeling.TwoWays" });
    refuses_a_key("llama", "auto_map", code, "the model needs code of its repository");
}

/// Changes the tensors of a checkpoint, and gives the line with which it is refused.
fn refusal_of_tensors(model: &str, change: impl FnOnce(&mut Vec<(String, Tensor)>)) -> String {
    let folder = copy(model);
    let path = folder.path().join("model.safetensors");
    let mut tensors: Vec<(String, Tensor)> = Tensor::read_safetensors(&path)
        .unwrap()
        .into_iter()
        .map(|(name, tensor)| (name, tensor.copy()))
        .collect();
    change(&mut tensors);
    Tensor::write_safetensors(&tensors, &path).unwrap();
    refusal(folder.path())
}

#[test]
fn a_checkpoint_of_whole_numbers() {
    let line = refusal_of_tensors("bert", |tensors| {
        let name = "encoder.layer.1.output.dense.weight";
        let (_, tensor) = tensors.iter_mut().find(|(found, _)| found == name).unwrap();
        *tensor = tensor.to_kind(tch::Kind::Int8);
    });
    let expected = "FOLDER: the tensor `encoder.layer.1.output.dense.weight` holds Int8 instead of floating-point numbers: a quantised";
    assert!(line.starts_with(expected), "{line}");
}

#[test]
fn a_tensor_that_no_layer_takes() {
    for name in
        ["encoder.layer.1.output.dense.SCB", "encoder.layer.7.output.dense.weight", "adapter.down.weight"]
    {
        let line = refusal_of_tensors("bert", |tensors| {
            tensors.push((name.to_owned(), Tensor::ones([16], (tch::Kind::Float, tch::Device::Cpu))));
        });
        assert!(line.contains(&format!("belong to no supported layer, first `{name}`")), "{line}");
    }
}

#[test]
fn a_layer_that_no_tensor_fills() {
    let name = "encoder.layer.1.output.dense.bias";
    let line = refusal_of_tensors("bert", |tensors| tensors.retain(|(found, _)| found != name));
    assert_eq!(line, format!("FOLDER: weight `{name}`: expected a tensor of shape [16], found none"));
}

#[test]
fn an_adapter_beside_the_weights() {
    let folder = copy("bert");
    let says = r#"{"peft_type": "LORA", "base_model_name_or_path": "org/base"}"#;
    fs::write(folder.path().join("adapter_config.json"), says).unwrap();
    let line = refusal(folder.path());
    let expected = "FOLDER/adapter_config.json: expected a model without an adapter, found one of peft (LORA) for the model org/base";
    assert!(line.starts_with(expected), "{line}");
    assert!(line.contains("merge_and_unload"), "{line}");
    // AdapterHub's has no type of peft, which cannot read it.
    let says = r#"{"config": {"architecture": "lora", "r": 8}, "model_type": "bert"}"#;
    fs::write(folder.path().join("adapter_config.json"), says).unwrap();
    let line = refusal(folder.path());
    let expected =
        "FOLDER/adapter_config.json: expected a model without an adapter, found one without `peft_type`";
    assert!(line.starts_with(expected) && !line.contains("merge_and_unload"), "{line}");
}

#[test]
fn what_model2vec_writes_without_modules() {
    let folder = copy("static");
    fs::remove_file(folder.path().join("modules.json")).unwrap();
    fs::write(folder.path().join("config.json"), r#"{"model_type": "model2vec", "normalize": true}"#)
        .unwrap();
    let line = refusal(folder.path());
    let expected = "FOLDER/config.json: `model_type`: expected a `modules.json` that says StaticEmbedding";
    assert!(line.starts_with(expected), "{line}");
    assert_eq!(refused_with(folder.path()), code::INVALID_INPUT);
}

#[test]
fn a_module_of_somebody_else() {
    let folder = copy("bert");
    let path = folder.path().join("modules.json");
    let modules = fs::read_to_string(&path)
        .unwrap()
        .replace("sentence_transformers.models.Pooling", "my_pooling.Pooling");
    fs::write(&path, modules).unwrap();
    let line = refusal(folder.path());
    assert!(
        line.starts_with(
            "FOLDER/modules.json: the module `my_pooling.Pooling` is not part of sentence-transformers"
        ),
        "{line}"
    );
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
}

#[test]
fn a_module_outside_the_folder_or_without_its_settings() {
    let folder = copy("bert");
    let path = folder.path().join("modules.json");
    let modules = fs::read_to_string(&path).unwrap();
    fs::write(&path, modules.replace("1_Pooling", "../outside")).unwrap();
    let expected = "FOLDER/modules.json: expected a path inside the folder, found: ../outside";
    assert_eq!(refusal(folder.path()), expected);
    fs::write(&path, modules).unwrap();
    fs::remove_file(folder.path().join("1_Pooling/config.json")).unwrap();
    assert_eq!(refusal(folder.path()), "FOLDER/1_Pooling/config.json: expected a JSON file, found none");
}

#[test]
fn weights_of_another_form() {
    for (name, form) in
        [("model-q4.gguf", "GGUF"), ("onnx/model.onnx", "ONNX"), ("tf_model.h5", "TensorFlow")]
    {
        let folder = copy("bert");
        fs::remove_file(folder.path().join("model.safetensors")).unwrap();
        fs::create_dir_all(folder.path().join("onnx")).unwrap();
        fs::write(folder.path().join(name), "").unwrap();
        let line = refusal(folder.path());
        let expected = format!("FOLDER/{name}: expected weights of PyTorch");
        assert!(line.starts_with(&expected) && line.contains(form), "{line}");
    }
}

#[test]
fn a_file_in_place_of_a_folder() {
    let folder = copy("bert");
    let named = |file: &str| {
        let name = folder.path().join(file).to_string_lossy().into_owned();
        golden::refusal_of(&ModelConfig { name, ..ModelConfig::default() }, folder.path())
    };
    fs::write(folder.path().join("model-q4.gguf"), "").unwrap();
    let expected = "FOLDER/model-q4.gguf: expected weights of PyTorch (model.safetensors or pytorch_model.bin), found GGUF";
    assert!(named("model-q4.gguf").starts_with(expected), "{}", named("model-q4.gguf"));
    let expected = "FOLDER/model.safetensors: expected a folder with a model, found a file";
    assert!(named("model.safetensors").starts_with(expected), "{}", named("model.safetensors"));
}

#[test]
fn two_rotations_of_a_network_that_turns_each_kind_of_layer_in_its_own_way() {
    let scaling = serde_json::json!({ "rope_type": "linear", "factor": 2.0 });
    for model in ["gemma3", "modernbert"] {
        refuses_a_key(model, "rope_scaling", scaling.clone(), "expected one of the two");
    }
}

#[test]
fn batches_that_are_filled_up_before_texts_where_that_moves_them() {
    for model in ["bert", "albert", "distilbert", "gpt-neo"] {
        let folder = copy(model);
        let said = |file: &str, change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let whole = fs::read(folder.path().join(file)).unwrap();
            edit(&folder.path().join(file), |values| change(values));
            let line = refusal(folder.path());
            fs::write(folder.path().join(file), whole).unwrap();
            assert!(line.contains("`padding_side`: expected right for "), "{model}, {file}: {line}");
        };
        let put_left = |values: &mut serde_json::Map<String, Value>| {
            values.insert("padding_side".to_owned(), "left".into());
        };
        said("tokenizer_config.json", &put_left);
        said("sentence_bert_config.json", &|values| {
            values.insert("processor_kwargs".to_owned(), serde_json::json!({ "padding_side": "left" }));
        });
        said("tokenizer.json", &|values| {
            let padding = serde_json::json!({
                "strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"
            });
            values.insert("padding".to_owned(), padding);
        });
    }
    // Elsewhere places are relative, or counted from the first token of the text.
    for model in ["roberta", "mpnet", "qwen3", "t5", "bloom"] {
        let folder = copy(model);
        edit(&folder.path().join("tokenizer_config.json"), |values| {
            values.insert("padding_side".to_owned(), "left".into());
        });
        mteb_plugin_torch::TorchEncoder::open(&golden::config(folder.path()))
            .unwrap_or_else(|error| panic!("{model}: {error}"));
    }
}

#[derive(Deserialize)]
struct Verdicts {
    texts: Vec<String>,
    verdicts: Vec<Verdict>,
}

#[derive(Deserialize)]
struct Verdict {
    folder: String,
    name: String,
    /// What sentence-transformers gives, if it gives anything.
    rows: Option<Vec<Vec<f32>>>,
}

#[test]
fn what_runs_is_what_sentence_transformers_runs() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    // The libraries of libtorch that this test is linked with are not those of the interpreter.
    let run = Command::new(python)
        .arg(golden_folder("damaged.py"))
        .arg(folder.path())
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = std::fs::read_to_string(folder.path().join("verdicts.json")).unwrap();
    let Verdicts { texts, verdicts } = serde_json::from_str(&text).unwrap();
    let (mut wrong, mut equal, mut refused) = (Vec::new(), 0, 0);
    for Verdict { folder: name, name: case, rows } in &verdicts {
        match (ours(&folder.path().join(name), &texts), rows) {
            (Err(_), None) => refused += 1,
            (Err(message), Some(_)) => {
                refused += 1;
                if case.ends_with(": whole") {
                    wrong.push(format!("{case}: {message}"));
                }
            }
            (Ok(_), None) => wrong.push(format!("{case}: runs here and not there")),
            (Ok(found), Some(rows)) => {
                let (difference, _) = worst(&found, rows);
                let size = rows.iter().flatten().fold(1.0_f32, |largest, value| largest.max(value.abs()));
                if difference <= 1e-5 * size {
                    equal += 1;
                } else {
                    wrong.push(format!("{case}: differs by {difference:e}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), verdicts.len(), wrong.join("\n"));
    assert!(
        verdicts.len() >= 200 && equal >= 30 && refused >= 100,
        "{} folders, {equal} equal, {refused} refused",
        verdicts.len()
    );
}

/// Our vectors, or the line with which the folder is refused.
fn ours(folder: &Path, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
    let mut model = TorchEncoder::open(&config(folder)).map_err(|error| error.to_string())?;
    let info = model.info();
    // The host puts the default prompt before texts.
    let prompts = info.prompts;
    let prompt = prompts.default.and_then(|name| prompts.named.get(&name).cloned()).unwrap_or_default();
    let width = info.dimension as usize;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut out = vec![f32::NAN; texts.len() * width];
    model.encode(&texts, Role::None, &prompt, &mut out).map_err(|error| error.message)?;
    Ok(out.chunks(width).map(<[f32]>::to_vec).collect())
}
