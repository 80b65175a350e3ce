//! A score in a file: a number, or none.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A number, `null`, or something that is no number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub Option<f64>);

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
        value
            .trim()
            .parse()
            .map(|number| Number(Some(number)))
            .map_err(|_| E::invalid_value(Unexpected::Str(value), &self))
    }
}
