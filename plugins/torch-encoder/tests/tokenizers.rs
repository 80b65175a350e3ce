//! Tokenizers of the families that embedding models have give what sentence-transformers gives; of settings
//! beside `tokenizer.json` that say something else, what is computed otherwise is computed here, or refused.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use golden::{config, copy, edit, encode_with, golden_folder, refusal, refused_with, worst};
use mteb_plugin_api::v1::code;
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What sentence-transformers gave, as `tokenizer_families.py` wrote it.
#[derive(Deserialize)]
struct Families {
    texts: Vec<String>,
    tokenizers: Vec<Map<String, Value>>,
    cases: Vec<FamilyCase>,
}

#[derive(Deserialize)]
struct FamilyCase {
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
    for FamilyCase { family, layout, checkpoint, tokenizer, other, mut files, verdict } in cases {
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

/// What sentence-transformers gave, as `tokenizer_settings.py` wrote it.
#[derive(Deserialize)]
struct Tried {
    texts: Vec<String>,
    bases: BTreeMap<String, Vec<Vec<f32>>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    checkpoint: String,
    changes: Vec<Change>,
    must_run: bool,
    /// The vectors, `same` or `fails`.
    verdict: Value,
}

/// A value of a file; without one, the key or the file goes.
#[derive(Deserialize)]
struct Change {
    file: String,
    keys: Vec<Value>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Value>,
}

/// Tells a null from a missing value.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

fn apply(folder: &Path, change: &Change) {
    let path = folder.join(&change.file);
    let Some((last, before)) = change.keys.split_last() else { return fs::remove_file(path).unwrap() };
    if !path.exists() {
        fs::write(&path, "{}").unwrap();
    }
    edit(&path, |values| {
        let mut place = Value::Object(std::mem::take(values));
        let inner = before.iter().fold(&mut place, |place, key| match key.as_u64() {
            Some(number) => &mut place[usize::try_from(number).unwrap()],
            None => &mut place[key.as_str().unwrap()],
        });
        let (inner, last) = (inner.as_object_mut().unwrap(), last.as_str().unwrap());
        match &change.value {
            Some(value) => drop(inner.insert(last.to_owned(), value.clone())),
            None => drop(inner.remove(last)),
        }
        *values = place.as_object().cloned().unwrap_or_else(Map::new);
    });
}

#[test]
fn what_the_settings_say_is_computed_or_refused() {
    let text = fs::read_to_string(golden_folder("tokenizer_settings.json")).unwrap();
    let Tried { texts, bases, cases } = serde_json::from_str(&text).unwrap();
    let (mut faults, mut refused, mut equal) = (Vec::new(), 0, 0);
    for Case { checkpoint, changes, must_run, verdict } in &cases {
        let folder = copy(checkpoint);
        changes.iter().for_each(|change| apply(folder.path(), change));
        let said: Vec<String> = changes
            .iter()
            .map(|change| format!("{} {} = {:?}", change.file, json!(change.keys), change.value))
            .collect();
        let case = format!("{checkpoint}: {}", said.join(", "));
        let mut model = match TorchEncoder::open(&config(folder.path())) {
            Ok(model) => model,
            Err(error) => {
                refused += 1;
                if *must_run && verdict == "same" {
                    faults.push(format!("{case}: refused, {error}"));
                }
                continue;
            }
        };
        let expected: Vec<Vec<f32>> = match verdict.as_str() {
            Some("same") => bases[checkpoint].clone(),
            Some(_) => {
                faults.push(format!("{case}: runs here, not there"));
                continue;
            }
            None => serde_json::from_value(verdict.clone()).unwrap(),
        };
        let (difference, _) = worst(&encode_with(&mut model, &texts, ""), &expected);
        let size = expected.iter().flatten().fold(1.0_f32, |largest, value| largest.max(value.abs()));
        equal += usize::from(difference <= 1e-5 * size);
        if difference > 1e-5 * size {
            faults.push(format!("{case}: differs by {difference:e}"));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
    assert!(equal > 60 && refused > 60, "{} cases, {equal} equal, {refused} refused", cases.len());
}

/// The line with which a checkpoint is refused whose settings have this value.
fn refusal_of_value(checkpoint: &str, key: &str, value: Value) -> String {
    let folder = copy(checkpoint);
    edit(&folder.path().join("tokenizer_config.json"), |values| drop(values.insert(key.to_owned(), value)));
    assert_eq!(refused_with(folder.path()), code::UNSUPPORTED);
    refusal(folder.path())
}

#[test]
fn a_refusal_names_the_key_and_both_values() {
    let begin = "FOLDER/tokenizer_config.json: ";
    for (key, value, expected) in [
        (
            "do_lower_case",
            json!(false),
            "`do_lower_case`: expected true, as tokenizer.json has it, found: false;",
        ),
        (
            "strip_accents",
            json!(false),
            "`strip_accents`: expected true, as tokenizer.json has it, found: false;",
        ),
        (
            "tokenize_chinese_chars",
            json!(false),
            "`tokenize_chinese_chars`: expected true, as tokenizer.json has it, found: false;",
        ),
        (
            "tokenizer_class",
            json!("RobertaTokenizer"),
            "`tokenizer_class`: expected a class that takes the model of tokenizer.json, a WordPiece, found: RobertaTokenizer, with which \
             transformers builds a BPE;",
        ),
        (
            "additional_special_tokens",
            json!(["kapal"]),
            "`additional_special_tokens`: expected tokens that tokenizer.json has among its added_tokens, found: \"kapal\",",
        ),
        (
            "model_input_names",
            json!(["input_ids"]),
            "`model_input_names`: expected attention_mask among them,",
        ),
        (
            "auto_map",
            json!({ "AutoTokenizer": ["own.Own", null] }),
            "`auto_map`: the model's makers run code of its repository for the tokenizer",
        ),
        (
            "split_special_tokens",
            json!(true),
            "`split_special_tokens`: expected none, because nothing else is supported, found: true",
        ),
    ] {
        let line = refusal_of_value("bert", key, value);
        assert!(line.starts_with(&format!("{begin}{expected}")), "{line}");
    }
}

#[test]
fn a_class_that_puts_other_tokens_around_a_text() {
    let folder = copy("bert");
    edit(&folder.path().join("tokenizer.json"), |values| {
        values.insert("post_processor".to_owned(), Value::Null);
    });
    let line = refusal(folder.path());
    let expected = "FOLDER/tokenizer_config.json: `tokenizer_class`: expected a class that takes the missing post_processor of tokenizer.json, \
                    which makes of a: ";
    assert!(line.starts_with(expected), "{line}");
    assert!(line.contains("found: BertTokenizer, with which transformers builds [CLS] "), "{line}");
}
