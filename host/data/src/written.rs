//! Numbers as ids and labels: a writer may put `3` or `3.0` for the same one.

use serde_json::{Number, Value};

/// `number` as an id or a label is written: one without a fraction has no decimal point, whatever its type.
pub fn written_number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

/// `value` as a label is written; lists and objects as JSON.
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => written_number(number),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_number_is_written_alike_whatever_its_type() {
        let cells = [json!(3), json!(3.0), json!("3.0"), json!(2.5), json!(true), json!(-1.0)];
        assert_eq!(cells.each_ref().map(written), ["3", "3", "3.0", "2.5", "true", "-1"]);
    }
}
