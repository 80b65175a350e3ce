//! A row as it stands in a reply: numbers, or their bytes in base64.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// A row of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<f32>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of numbers, or their bytes in base64")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Row, A::Error> {
        let mut row = Vec::new();
        while let Some(value) = list.next_element::<f64>()? {
            row.push(value as f32);
        }
        Ok(Row(row))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Row, E> {
        let bytes = STANDARD.decode(text).map_err(|error| E::custom(format!("a row in base64: {error}")))?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(E::custom(format!(
                "a row in base64 of {} bytes, which is not a multiple of 4",
                bytes.len()
            )));
        }
        Ok(Row(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_base64_are_the_same_row() {
        let row: Row = serde_json::from_str("[1, -0.5, 2.5e-3]").unwrap();
        assert_eq!(row.0, [1.0, -0.5, 0.0025]);
        let bytes: Vec<u8> = row.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        let text = format!("{:?}", STANDARD.encode(bytes));
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in ["[1, null]", "[NaN]", "\"AAAA\"", "\"?\"", "{}", "[\"1\"]"] {
            assert!(serde_json::from_str::<Row>(text).is_err(), "{text}");
        }
    }
}
