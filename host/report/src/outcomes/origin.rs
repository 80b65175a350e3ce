//! What a result says that its units were made from, as whoever reads beside it needs it.

use std::collections::BTreeSet;
use std::path::Path;

use mteb_card::defaults::leave_out_defaults;
use mteb_results::reading::read_host;
use serde_json::Value;

/// The head that this host adds to a result file: `mteb_host`; `None` where there is none.
pub(super) fn read_host_head(results: &Path, task: &str) -> Option<Value> {
    read_host(&results.join(format!("{task}.json")))
}

/// The model of a unit, and what else its score was made from.
pub(super) fn split_off_model(head: &Value, split: &str, subset: &str) -> Option<(Value, Value)> {
    let mut unit = head.get("units")?.get(split)?.get(subset)?.clone();
    let own = unit.as_object_mut().and_then(|unit| unit.shift_remove("model"));
    Some((own.or_else(|| head.get("model").cloned())?, unit))
}

/// What of data and options differs between two units of one split and subset, each as a line.
pub(super) fn list_differences(first: &Value, second: &Value, names: (&str, &str)) -> Vec<String> {
    let mut lines = Vec::new();
    let [one, other] = [first, second].map(data);
    if one != other {
        lines.push(match [&one, &other].map(|data| data["revision"].as_str().map(str::to_owned)) {
            [Some(one), Some(other)] if one != other => format!("data of revision {one} and {other}"),
            _ => format!("other data{}", differing_files(&one, &other)),
        });
    }
    let [one, other] = [first, second].map(|unit| options(unit, names));
    differences("options", &one, &other, &mut lines);
    differences("ranked", &first["ranked"], &second["ranked"], &mut lines);
    lines
}

/// The files of two kinds of data that are not the same, of many the first.
fn differing_files(one: &Value, other: &Value) -> String {
    const NAMED: usize = 3;
    let hash = |data: &Value, name: &str| data["files"].get(name).cloned();
    let names = [one, other].into_iter().filter_map(|data| data["files"].as_object());
    let names: BTreeSet<&String> = names.flat_map(|files| files.keys()).collect();
    let differing: Vec<&str> =
        names.into_iter().map(String::as_str).filter(|name| hash(one, name) != hash(other, name)).collect();
    match differing.len() {
        0 => String::new(),
        count if count > NAMED => {
            format!(": {} and {} more", differing[..NAMED].join(", "), count - NAMED)
        }
        _ => format!(": {}", differing.join(", ")),
    }
}

/// The options without those that are written out at their defaults.
fn options(unit: &Value, names: (&str, &str)) -> Value {
    let mut options = unit["options"].clone();
    leave_out_defaults(&mut options, names);
    options
}

/// What of two states of one model differs, each as a line.
pub(super) fn list_model_differences(first: &Value, second: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    differences("", first, second, &mut lines);
    lines
}

/// The data without what it was packed by: whoever packs the same rows anew changes nothing.
fn data(unit: &Value) -> Value {
    let mut data = unit["data"].clone();
    if let Some(data) = data.as_object_mut() {
        data.shift_remove("code");
    }
    data
}

/// A line for each leaf that differs, called by its path.
fn differences(path: &str, first: &Value, second: &Value, lines: &mut Vec<String>) {
    if first == second {
        return;
    }
    if let (Value::Object(one), Value::Object(other)) = (first, second) {
        let new = other.keys().filter(|key| !one.contains_key(*key));
        for key in one.keys().chain(new) {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            differences(&path, &first[key.as_str()], &second[key.as_str()], lines);
        }
        return;
    }
    // What only one of the two says is not compared as a whole.
    if let (Value::Null, Value::Object(inner)) | (Value::Object(inner), Value::Null) = (first, second)
        && !inner.is_empty()
    {
        for key in inner.keys() {
            differences(&format!("{path}.{key}"), &first[key.as_str()], &second[key.as_str()], lines);
        }
        return;
    }
    lines.push(format!("{path} {} and {}", write_value(first), write_value(second)));
}

fn write_value(value: &Value) -> String {
    const MOST: usize = 60;
    if value.is_null() {
        return "none".to_owned();
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_called_by_its_path() {
        let unit = |revision: &str, cuts: &[u32], code: &str| json!({"data": {"dataset": "a/b", "revision": revision, "code": code}, "options": {"type": "Retrieval", "protocol": {"k_values": cuts}}});
        assert_eq!(
            list_differences(&unit("1", &[1, 10], "x"), &unit("1", &[1, 10], "y"), ("test", "default")),
            [""; 0]
        );
        assert_eq!(
            list_differences(&unit("1", &[1, 10], "x"), &unit("2", &[1], "x"), ("test", "default")),
            ["data of revision 1 and 2", "options.protocol.k_values [1,10] and [1]"]
        );
        let own = |hash: &str| json!({"data": {"files": {"a.csv": "1", "b.csv": hash}}, "options": {}});
        assert_eq!(list_differences(&own("1"), &own("2"), ("test", "default")), ["other data: b.csv"]);
        assert_eq!(
            list_model_differences(
                &json!({"name": "m", "dtype": "f32"}),
                &json!({"name": "m", "dtype": "bf16", "device": "cuda"})
            ),
            ["dtype f32 and bf16", "device none and cuda"]
        );
    }

    #[test]
    fn an_option_written_out_at_its_default_is_no_difference() {
        let unit = |protocol: Value| json!({"data": 1, "options": {"type": "STS", "protocol": protocol}});
        assert_eq!(
            list_differences(&unit(json!({})), &unit(json!({"max_score": 5.0})), ("test", "default")),
            [""; 0]
        );
        let other = list_differences(&unit(json!({})), &unit(json!({"max_score": 4.0})), ("test", "default"));
        assert_eq!(other, ["options.protocol.max_score none and 4.0"]);
    }

    #[test]
    fn a_unit_of_another_model_than_its_file_says_so() {
        let head = json!({"model": {"name": "new"}, "units": {"test": {
            "a": {"data": 1}, "b": {"data": 1, "model": {"name": "old"}},
        }}});
        assert_eq!(split_off_model(&head, "test", "a"), Some((json!({"name": "new"}), json!({"data": 1}))));
        assert_eq!(split_off_model(&head, "test", "b"), Some((json!({"name": "old"}), json!({"data": 1}))));
        assert_eq!(split_off_model(&head, "test", "c"), None);
    }
}
