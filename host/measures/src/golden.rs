//! The fixtures of the reference, for tests.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The fixture `name` under `tests/golden`.
pub fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../../tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("fixture is part of the project");
    serde_json::from_str(&text).expect("fixture is JSON of the expected form")
}

/// The list called `section` of the fixture `name`.
pub fn section_of(name: &str, section: &str) -> Vec<Value> {
    match fixture::<Value>(name)[section].take() {
        Value::Array(cases) => cases,
        other => panic!("section {section} is {other}"),
    }
}
