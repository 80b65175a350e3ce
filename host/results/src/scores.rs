//! Scores as result files hold them.

use mteb_json::Json;
use mteb_tasks::{Score, Scores};

/// Scores by their names, in their order.
pub fn json_of_scores(scores: &Scores) -> Json {
    Json::Map(scores.0.iter().map(|(name, score)| (name.clone(), json_of_score(score))).collect())
}

/// A score, rounded to six decimals as the reference rounds it.
pub fn json_of_score(score: &Score) -> Json {
    match score {
        Score::Number(number) => Json::rounded(*number),
        Score::Numpy(number) => Json::numpy_rounded(*number),
        Score::Int(number) => Json::Int(*number),
        Score::Null => Json::Null,
        Score::List(cells) => Json::List(cells.iter().map(json_of_score).collect()),
        Score::Map(scores) => json_of_scores(scores),
    }
}

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
