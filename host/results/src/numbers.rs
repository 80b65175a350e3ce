//! The numbers in a part of a result file.

use mteb_json::Json;

/// Adds every number in `value` to `scores`, however deep it stands.
pub fn add_numbers(value: &Json, scores: &mut Vec<f64>) {
    match value {
        Json::Int(_) | Json::Whole(_) | Json::Float(_) => {
            scores.extend(value.as_number().filter(|number| !number.is_nan()));
        }
        Json::List(cells) => cells.iter().for_each(|cell| add_numbers(cell, scores)),
        Json::Map(entries) => entries.iter().for_each(|(_, value)| add_numbers(value, scores)),
        _ => {}
    }
}
