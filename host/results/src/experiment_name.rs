//! What a user chose of a model that it does not do by itself: results of it are kept apart, in a folder that is called as
//! the reference calls it (`_serialize_experiment_kwargs_to_name` in mteb 2.26.24).

use mteb_files::hex;
use mteb_measures::numeric::python_repr;
use mteb_plugin_api::ModelInfo;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The key of `model_meta.json` that holds the options.
pub const OPTIONS: &str = "experiment_kwargs";

/// Most characters of a name that says the options; a longer one is a hash of it.
const LONGEST: usize = 200;

const FORBIDDEN: [char; 9] = ['<', '>', ':', '"', '|', '?', '*', '\\', '/'];

/// The name of the folder for results of a model; `None` for one that is as it is by itself.
pub fn experiment_name(info: &ModelInfo) -> Option<String> {
    let options = info.meta.get(OPTIONS)?.as_object().filter(|options| !options.is_empty())?;
    let mut options: Vec<(&String, &Value)> = options.iter().collect();
    options.sort_by_key(|(name, _)| *name);
    let parts: Vec<String> =
        options.into_iter().map(|(name, value)| format!("{name}_{}", write_value(value))).collect();
    let name = parts.join("__");
    let is_plain = name.chars().all(|letter| !FORBIDDEN.contains(&letter) && !letter.is_control());
    if is_plain && name.chars().count() <= LONGEST && !matches!(name.as_str(), "." | "..") {
        return Some(name);
    }
    let digest = Sha256::digest(name.as_bytes());
    Some(format!("exp_{}", hex(&digest[..8])))
}

/// A value as Python's `str` writes it, without what no file name may have.
fn write_value(value: &Value) -> String {
    let plain = |text: &str| text.replace(|letter| FORBIDDEN.contains(&letter) || letter == '\0', "_");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) if number.is_f64() => python_repr(number.as_f64().unwrap_or(f64::NAN)),
        Value::Number(number) => number.to_string(),
        Value::String(text) => plain(text),
        Value::Array(cells) => format!("[{}]", cells.iter().map(write_value).collect::<Vec<_>>().join(",")),
        Value::Object(entries) => {
            let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            let entries = entries.into_iter().map(|(name, value)| format!("{name}:{}", write_value(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn name(options: Value) -> Option<String> {
        let mut info = ModelInfo::default();
        info.meta.insert(OPTIONS.to_owned(), options);
        experiment_name(&info)
    }

    #[test]
    fn names_are_those_of_the_reference() {
        // From `_serialize_experiment_kwargs_to_name` of mteb 2.26.24.
        let cases = [
            (json!({"similarity": "dot", "dtype": "bf16"}), "dtype_bf16__similarity_dot"),
            (
                json!({"max_tokens": 256, "a": true, "b": null, "c": 0.5}),
                "a_True__b_None__c_0.5__max_tokens_256",
            ),
            (json!({"p": "a/b:c"}), "p_a_b_c"),
            (json!({"l": [1, "x"]}), "l_[1,x]"),
            (json!({"prompts": {"query": "q", "a": "b"}}), "exp_8eb7681ec098e2b1"),
            (json!({"long": "x".repeat(300)}), "exp_06d1c64b08c2566b"),
        ];
        for (options, expected) in cases {
            assert_eq!(name(options.clone()).as_deref(), Some(expected), "{options}");
        }
        assert_eq!(name(json!({})), None);
        assert_eq!(name(Value::Null), None);
    }
}
