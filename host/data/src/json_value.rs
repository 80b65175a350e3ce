//! JSON values as cells: strings and numbers without a detour, each key of an object once.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::builder::ColumnBuilder;

/// Numbers from here on may have been whole numbers that 64 bits do not hold.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

/// The error that an object has a key twice.
pub fn name_twice<E: Error>(key: &str) -> E {
    E::custom(format_args!("expected each key once, found `{key}` twice"))
}

/// The JSON value of `text`, in which no object may have a key twice: of two values nobody knows which is meant.
///
/// # Errors
/// What is wrong and where; a key that stands twice is an error of [data](serde_json::Error::is_data).
pub fn each_key_once(text: &[u8]) -> serde_json::Result<Value> {
    let large_number = Cell::new(false);
    let mut input = serde_json::Deserializer::from_slice(text);
    let value = ValueSeed { large_number: &large_number }.deserialize(&mut input)?;
    input.end()?;
    Ok(value)
}

/// Reads a value as the next cell of a column, or passes over it if there is no column.
pub struct CellSeed<'a> {
    /// The column.
    pub cells: Option<&'a mut ColumnBuilder>,
    /// Set if a number may have been a whole number beyond 64 bits.
    pub large_number: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for CellSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        match self.cells {
            Some(cells) => input.deserialize_any(CellVisitor { cells, large_number: self.large_number }),
            None => input.deserialize_ignored_any(IgnoredAny).map(|_| ()),
        }
    }
}

struct CellVisitor<'a> {
    cells: &'a mut ColumnBuilder,
    large_number: &'a Cell<bool>,
}

impl<'de> Visitor<'de> for CellVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.cells.push_text(text);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.cells.push_int(number);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.cells.push_unsigned(number);
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        note(number, self.large_number);
        self.cells.push_float(number);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.cells.push_any(Value::Bool(value));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.cells.push_any(Value::Null);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.cells.push_any(ValueSeed { large_number: self.large_number }.visit_seq(list)?);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.cells.push_any(ValueSeed { large_number: self.large_number }.visit_map(map)?);
        Ok(())
    }
}

/// Reads a value within a list or an object.
#[derive(Clone, Copy)]
struct ValueSeed<'a> {
    large_number: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        note(number, self.large_number);
        Ok(Value::from(number))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(name_twice(&key));
            }
            object.insert(key, map.next_value_seed(self)?);
        }
        Ok(Value::Object(object))
    }
}

fn note(number: f64, large_number: &Cell<bool>) {
    if number.abs() >= LARGE {
        large_number.set(true);
    }
}

/// Offset and digits of the first whole number in the JSON `text` that 64 bits do not hold.
pub fn oversized_number(text: &str) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..].iter().take_while(|byte| b"+-.eE0123456789".contains(byte)).count();
                let token = &text[at..at + length];
                let digits = token.strip_prefix('-').unwrap_or(token);
                let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
                if is_whole && token.parse::<i64>().is_err() && token.parse::<u64>().is_err() {
                    return Some((at, token));
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    None
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

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
    fn a_key_that_stands_twice_is_named_however_deep() {
        let refusal = |text: &str| each_key_once(text.as_bytes()).unwrap_err();
        for text in [r#"{"a": 1, "b": 2, "a": 1}"#, r#"[{"x": {"a": {}, "\u0061": {}}}]"#] {
            let error = refusal(text);
            assert!(error.is_data(), "{error}");
            assert!(error.to_string().starts_with("expected each key once, found `a` twice"), "{error}");
        }
        assert!(!refusal("{} {}").is_data() && !refusal("{").is_data());
        let text = r#"{"a":[1,-2,0.1,null,true,"x"],"b":{"a":18446744073709551615}}"#;
        assert_eq!(each_key_once(text.as_bytes()).unwrap().to_string(), text);
    }

    #[test]
    fn whole_numbers_beyond_64_bits_are_found() {
        assert_eq!(oversized_number(r#"{"a": 18446744073709551615, "b": -9223372036854775808}"#), None);
        assert_eq!(oversized_number(r#"{"a": "123456789012345678901\"", "b": 1e30}"#), None);
        assert_eq!(
            oversized_number(r#"{"a": 1.5, "id": 123456789012345678901}"#),
            Some((17, "123456789012345678901"))
        );
    }

    #[test]
    fn a_whole_number_is_written_alike_whatever_its_type() {
        let cells = [json!(3), json!(3.0), json!("3.0"), json!(2.5), json!(true), json!(-1.0)];
        assert_eq!(cells.each_ref().map(written), ["3", "3", "3.0", "2.5", "true", "-1"]);
    }
}
