//! Clustering beside scikit-learn (fixtures from the scripts in `tests/golden/cluster`).

mod agreement;
mod k_means;

use serde_json::Value;

/// The cases in a fixture file.
fn golden(name: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/cluster");
    let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("fixture is part of the project");
    serde_json::from_str(&text).expect("fixture is a list")
}

fn labels(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().filter_map(Value::as_u64).map(|label| label as u32).collect()
}
