//! The hash of a JSON value by its meaning: keys in their order, no white space.

use serde_json::{Map, Value};

/// SHA-256 of `value` with the keys of all objects sorted, as 64 hex digits.
pub fn hash(value: Value) -> String {
    // To read from memory cannot fail.
    mteb_files::sha256(sorted(value).to_string().as_bytes()).unwrap_or_default()
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<(String, Value)> =
                entries.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            Value::Object(entries.into_iter().collect::<Map<String, Value>>())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_keys_changes_nothing_and_that_of_lists_does() {
        let one = json!({"a": [1, {"c": 2, "b": 3}], "d": null});
        let same: Value = serde_json::from_str("{ \"d\" : null, \"a\": [1, {\"b\": 3, \"c\": 2}]}").unwrap();
        let other = json!({"a": [{"c": 2, "b": 3}, 1], "d": null});
        assert_eq!(hash(one.clone()), hash(same));
        assert_ne!(hash(one), hash(other));
    }
}
