//! Which tensor of a checkpoint fills which layer: the one that transformers takes, or none where two claim a layer, where a quantised one
//! stands in its place, or where it lies where no loader looks.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use golden::{config, copy, edit, encode, encode_with, golden_folder, refusal, refused_with, worst};
use mteb_plugin_api::v1::{Model, ModelConfig, Role, code};
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;
use tch::{Device, Kind, Tensor};

type Tensors = BTreeMap<String, Tensor>;

/// Changes the tensors of the checkpoint in `folder`.
fn change(folder: &Path, change: impl FnOnce(&mut Tensors)) {
    let path = folder.join("model.safetensors");
    let mut tensors: Tensors = Tensor::read_safetensors(&path)
        .unwrap()
        .into_iter()
        .map(|(name, tensor)| (name, tensor.copy()))
        .collect();
    change(&mut tensors);
    Tensor::write_safetensors(&tensors.into_iter().collect::<Vec<_>>(), &path).unwrap();
}

#[derive(Deserialize)]
struct Known {
    texts: Vec<String>,
    cases: BTreeMap<String, Vec<Vec<f32>>>,
}

#[test]
fn t5_computes_with_the_vectors_of_its_encoder() {
    let text = fs::read_to_string(golden_folder("tensor_names.json")).unwrap();
    let Known { texts, cases } = serde_json::from_str(&text).unwrap();
    let (shared, own) = ("shared.weight".to_owned(), "encoder.embed_tokens.weight".to_owned());
    for (case, expected) in &cases {
        let folder = copy("t5");
        change(folder.path(), |tensors| {
            let words = tensors.remove(&shared).unwrap();
            let other = words.flip([0]).contiguous();
            tensors.extend(match case.as_str() {
                "both, equal" => vec![(own.clone(), words.copy()), (shared.clone(), words)],
                "the encoder's alone" => vec![(own.clone(), other)],
                "the shared ones alone" => vec![(shared.clone(), other)],
                _ => vec![(own.clone(), other), (shared.clone(), words)],
            });
        });
        let (difference, text) = worst(&encode(folder.path(), &texts, ""), expected);
        let size = expected[text].iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
        assert!(difference <= 1e-5 * size, "{case}: {difference:e}");
    }
    assert_eq!(cases.len(), 4);
}

#[test]
fn two_tensors_for_one_layer() {
    for (old, new) in [("gamma", "weight"), ("beta", "bias")] {
        let name = |part: &str| format!("encoder.layer.1.output.LayerNorm.{part}");
        let folder = copy("bert");
        change(folder.path(), |tensors| {
            let found = tensors.remove(&name(new)).unwrap();
            tensors.insert(name(old), found);
        });
        TorchEncoder::open(&config(folder.path())).unwrap();
        change(folder.path(), |tensors| {
            tensors.insert(name(new), Tensor::ones([16], (Kind::Float, Device::Cpu)));
        });
        let expected = format!(
            "FOLDER/model.safetensors: expected one tensor for each layer, found `{}` and `{}` for the same one;",
            name(old),
            name(new)
        );
        let line = refusal(folder.path());
        assert!(line.starts_with(&expected), "{line}");
    }
}

#[test]
fn matrices_of_quantised_checkpoints_are_named_for_what_they_are() {
    let layer = "encoder.layer.1.attention.self.query";
    for (name, maker) in [
        (".qweight", "GPTQ or AWQ"),
        (".W_q", "HQQ"),
        (".weight._data", "quanto"),
        ("._weight_qdata", "torchao"),
        (".weight_packed", "compressed-tensors"),
    ] {
        let folder = copy("bert");
        change(folder.path(), |tensors| {
            let found = tensors.remove(&format!("{layer}.weight")).unwrap();
            tensors.insert(format!("{layer}{name}"), found.to_kind(Kind::Int8));
        });
        let expected = format!(
            "FOLDER: the layer `{layer}` has `{layer}{name}` in place of `{layer}.weight`: a quantised checkpoint ({maker}), which is not"
        );
        let line = refusal(folder.path());
        assert!(line.starts_with(&expected), "{line}");
        // Without settings other libraries make such a layer up, and none of them is advised.
        assert_eq!(refused_with(folder.path()), code::INVALID_INPUT);
    }
    // As bitsandbytes packs them: of another shape, too.
    let folder = copy("bert");
    change(folder.path(), |tensors| {
        let packed = Tensor::zeros([128, 1], (Kind::Uint8, Device::Cpu));
        tensors.insert(format!("{layer}.weight"), packed);
    });
    let line = refusal(folder.path());
    assert!(line.contains("holds Uint8 instead of floating-point numbers: a quantised checkpoint"), "{line}");
    assert_eq!(refused_with(folder.path()), code::INVALID_INPUT);
}

/// The line with which a checkpoint is refused whose weights are this pickle in an archive.
fn refusal_of_pickle(pickle: &[u8], more: &[&str]) -> String {
    let folder = copy("bert");
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.path().join("pytorch_model.bin")).unwrap());
    let options = zip::write::FileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("archive/data.pkl", options).unwrap();
    archive.write_all(pickle).unwrap();
    for name in more {
        archive.start_file(format!("archive/{name}"), options).unwrap();
    }
    archive.finish().unwrap();
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
    refusal(folder.path())
}

#[test]
fn files_of_torch_save_that_hold_something_else() {
    let begin = "FOLDER/pytorch_model.bin: expected weights by name, found ";
    // {"state_dict": {}}
    let nested = refusal_of_pickle(b"\x80\x02}X\x0a\0\0\0state_dict}s.", &[]);
    assert!(
        nested.starts_with(&format!("{begin}tensors under `state_dict`, where transformers finds none:")),
        "{nested}"
    );
    // ("storage", torch.QInt8Storage, "0", "cpu", 1) as a persistent id
    let quantised = b"\x80\x02(X\x07\0\0\0storagectorch\nQInt8Storage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x01tQ.";
    let quantised = refusal_of_pickle(quantised, &[]);
    assert!(
        quantised.starts_with(&format!("{begin}numbers of the format QInt8: a quantised checkpoint")),
        "{quantised}"
    );
    let subclass = refusal_of_pickle(b"\x80\x02ctorchao.dtypes\nAffineQuantizedTensor\n.", &[]);
    assert!(
        subclass.starts_with(&format!("{begin}tensors of torchao.dtypes.AffineQuantizedTensor: a quantised")),
        "{subclass}"
    );
    let script = refusal_of_pickle(b"\x80\x02}.", &["constants.pkl", "code/__torch__.py"]);
    assert!(script.starts_with(&format!("{begin}TorchScript, a program with its weights")), "{script}");
}

#[test]
fn a_maximum_above_the_positions() {
    for (model, positions) in [("bert", 48), ("roberta", 48)] {
        let folder = copy(model);
        let put = |length: i64| {
            edit(&folder.path().join("sentence_bert_config.json"), |values| {
                values.insert("max_seq_length".to_owned(), length.into());
            });
        };
        put(positions);
        TorchEncoder::open(&config(folder.path())).unwrap();
        put(positions + 1);
        let line = refusal(folder.path());
        let expected = format!(
            "FOLDER: `max_seq_length`: expected at most {positions}, as many as the model has positions for, found {},",
            positions + 1
        );
        assert!(line.starts_with(&expected), "{line}");
        // Whoever wants another maximum gets it.
        let mut shorter = config(folder.path());
        shorter.max_tokens = Some(9);
        TorchEncoder::open(&shorter).unwrap();
    }
}

#[test]
fn a_text_longer_than_the_positions_where_no_file_says_where_to_cut() {
    // Of RoBERTa and its like, `config.json` counts two positions that no token has, and sentence-transformers fails at 49 tokens with an
    // index out of bounds; of BERT it cuts at 48.
    for (model, positions, fails) in
        [("roberta", 48, true), ("xlm-roberta", 48, true), ("mpnet", 218, true), ("bert", 48, false)]
    {
        let folder = copy(model);
        edit(&folder.path().join("sentence_bert_config.json"), |values| {
            drop(values.remove("max_seq_length"))
        });
        edit(&folder.path().join("tokenizer_config.json"), |values| {
            values.insert("model_max_length".to_owned(), serde_json::json!(1e30));
        });
        let opened = |max_tokens: Option<u32>| {
            TorchEncoder::open(&ModelConfig { max_tokens, ..config(folder.path()) }).unwrap()
        };
        let (mut model, mut cut) = (opened(None), opened(Some(positions)));
        assert_eq!(model.info().max_tokens, Some(positions));
        let text = |words: usize| vec![["a"; 400][..words].join(" ")];
        // As long as a text fits, it is computed; the first one that does not is refused.
        let mut row = vec![0.0; model.info().dimension as usize];
        let fitting = (1..400)
            .take_while(|words| model.encode(&[text(*words)[0].as_str()], Role::None, "", &mut row).is_ok())
            .last();
        let fitting = fitting.unwrap();
        let (whole, _) =
            worst(&encode_with(&mut model, &text(fitting), ""), &encode_with(&mut cut, &text(fitting), ""));
        assert!(whole <= 1e-6, "{whole}");
        if !fails {
            assert_eq!(fitting, 399);
            continue;
        }
        let error =
            model.encode(&[text(fitting + 1)[0].as_str()], Role::None, "", &mut row).unwrap_err().message;
        let expected = format!(
            "expected texts of at most {positions} tokens, as many as the model has positions for, found "
        );
        assert!(
            error.contains(&expected) && error.contains(&format!("`--max-tokens {positions}`")),
            "{error}"
        );
        cut.encode(&[text(399)[0].as_str()], Role::None, "", &mut row).unwrap();
    }
}
