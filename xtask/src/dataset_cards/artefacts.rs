//! What the gate measured of artefacts, as rows of facts.

use serde_json::Value;

use super::words::Words;

/// The figures of the task `name` in what `mteb-host validate --data --json` says.
pub fn of(gate: &Value, name: &str) -> Vec<Value> {
    let tasks = gate["tasks"].as_array().into_iter().flatten().filter(|task| task["task"] == name);
    let examined = tasks.flat_map(|task| task["examined"].as_array().into_iter().flatten());
    examined.flat_map(|one| one["artefacts"].as_array().into_iter().flatten()).cloned().collect()
}

/// What was measured, then the figure with chance and limits.
pub fn row(found: &Value, words: &Words) -> [String; 2] {
    let number = |key: &str, places| found[key].as_f64().map(|number| words.number(number, places));
    let measure = word(&found["measure"], words);
    let value = number("value", 3).unwrap_or_default();
    let limits = [(words.chance, "chance"), (words.least, "least"), (words.most, "most")];
    let limits = limits.into_iter().filter_map(|(word, key)| Some(format!("; {word} {}", number(key, 2)?)));
    [word(&found["check"], words), format!("{measure} {value}{}", limits.collect::<String>())]
}

fn word(of: &Value, words: &Words) -> String {
    let of = of.as_str().unwrap_or_default();
    words.artefacts.iter().find(|(name, _)| *name == of).map_or(of, |(_, word)| word).to_owned()
}
