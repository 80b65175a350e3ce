//! Clustering beside scikit-learn (fixtures from the scripts in `tests/golden/cluster`).

mod agreement;
mod k_means;

use serde_json::Value;

use crate::golden::fixture;

/// The cases in a fixture file.
fn golden(name: &str) -> Vec<Value> {
    fixture(&format!("cluster/{name}"))
}

fn labels(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().filter_map(Value::as_u64).map(|label| label as u32).collect()
}
