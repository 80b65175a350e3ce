//! Compares result files key by key.

use serde_json::Value;

/// One value that is not as expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Path of keys, as `test/ind/scores_per_experiment/0/f1`.
    pub path: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

/// Every value of `found`'s scores that differs from `expected`'s by more than `tolerance`, every key that one of
/// them lacks, and every key that stands at another place. Only the entries that `found` has are compared.
///
/// # Errors
/// If one of the texts is no result file.
pub fn compare_results(expected: &str, found: &str, tolerance: f64) -> serde_json::Result<Vec<Difference>> {
    let (expected, found) = (read(expected)?, read(found)?);
    let mut differences = Vec::new();
    for key in ["dataset_revision", "task_name", "mteb_version"] {
        compare(key, &expected[key], &found[key], tolerance, &mut differences);
    }
    for (split, entries) in found["scores"].as_object().into_iter().flatten() {
        for entry in entries.as_array().into_iter().flatten() {
            let subset = entry["hf_subset"].as_str().unwrap_or_default();
            let path = format!("{split}/{subset}");
            let expected = expected["scores"][split.as_str()].as_array().into_iter().flatten();
            let expected = expected.into_iter().find(|entry| entry["hf_subset"] == subset);
            compare(&path, expected.unwrap_or(&Value::Null), entry, tolerance, &mut differences);
        }
    }
    Ok(differences)
}

/// A result file without what depends on the clock.
///
/// # Errors
/// If the text is no result file.
pub fn without_times(text: &str) -> serde_json::Result<String> {
    let mut value = read(text)?;
    if let Some(object) = value.as_object_mut() {
        for key in ["evaluation_time", "date", "evaluation_phases", "footprint"] {
            object.insert(key.to_owned(), Value::Null);
        }
        if let Some(host) = object.get_mut("mteb_host").and_then(Value::as_object_mut) {
            host.remove("footprint");
        }
    }
    Ok(value.to_string())
}

/// JSON in which the token `NaN` stands for the text "NaN".
fn read(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(&text.replace(": NaN", ": \"NaN\""))
}

fn compare(path: &str, expected: &Value, found: &Value, tolerance: f64, differences: &mut Vec<Difference>) {
    match (expected, found) {
        (Value::Object(left), Value::Object(right)) => {
            let (left_keys, right_keys): (Vec<_>, Vec<_>) = (left.keys().collect(), right.keys().collect());
            if left_keys != right_keys {
                note(
                    &format!("{path} (keys)"),
                    &format!("{left_keys:?}"),
                    &format!("{right_keys:?}"),
                    differences,
                );
            }
            for (key, value) in right {
                let expected = left.get(key).unwrap_or(&Value::Null);
                compare(&format!("{path}/{key}"), expected, value, tolerance, differences);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (expected, found)) in left.iter().zip(right).enumerate() {
                compare(&format!("{path}/{index}"), expected, found, tolerance, differences);
            }
        }
        (Value::Number(left), Value::Number(right)) => {
            let difference = left.as_f64().unwrap_or(f64::NAN) - right.as_f64().unwrap_or(f64::NAN);
            if difference.is_nan() || difference.abs() > tolerance {
                note(path, &left.to_string(), &right.to_string(), differences);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => note(path, &expected.to_string(), &found.to_string(), differences),
    }
}

fn note(path: &str, expected: &str, found: &str, differences: &mut Vec<Difference>) {
    let (path, expected, found) = (path.to_owned(), expected.to_owned(), found.to_owned());
    differences.push(Difference { path, expected, found });
}
