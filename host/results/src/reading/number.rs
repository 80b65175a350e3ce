//! A number in a file that may stand there as text, or be absent, and scores as result files hold
//! them.

use mteb_json::Json;
use mteb_tasks::{Score, Scores};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A number, `null`, or something that is no number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub Option<f64>);

impl Number {
    /// The number that `json` is; `None` if it is something that is no number.
    pub fn of(json: &Json) -> Option<Self> {
        match json {
            Json::Text(text) => Self::of_text(text),
            Json::Null => Some(Self(None)),
            other => other.as_number().map(|number| Self(Some(number))),
        }
    }

    fn of_text(text: &str) -> Option<Self> {
        text.trim().parse().ok().map(|number| Self(Some(number)))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a number or `null`")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(Some(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(Some(value as f64)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(Some(value as f64)))
    }

    fn visit_unit<E: Error>(self) -> Result<Number, E> {
        Ok(Number(None))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Number, E> {
        Number::of_text(value).ok_or_else(|| E::invalid_value(Unexpected::Str(value), &self))
    }
}

/// Builds the map of scores that a result file holds: rounded, by name, in their order.
pub fn build_score_map(scores: &Scores) -> Json {
    Json::Map(scores.0.iter().map(|(name, score)| (name.clone(), round_score(score))).collect())
}

/// Rounds a score to six decimals as the reference rounds it.
pub fn round_score(score: &Score) -> Json {
    match score {
        Score::Number(number) => Json::rounded(*number),
        Score::Numpy(number) => Json::numpy_rounded(*number),
        Score::Int(number) => Json::Int(*number),
        Score::Null => Json::Null,
        Score::List(cells) => Json::List(cells.iter().map(round_score).collect()),
        Score::Map(scores) => build_score_map(scores),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readers_take_the_same_for_a_number() {
        let read = |text: &str| serde_json::from_str::<Number>(text).ok();
        for text in ["1", "-0.5", "null", "\" 2.5 \"", "\"x\"", "true", "[]"] {
            assert_eq!(Number::of(&Json::parse(text).unwrap()), read(text), "{text}");
        }
        assert_eq!(read("\" 2.5 \""), Some(Number(Some(2.5))));
    }
}
