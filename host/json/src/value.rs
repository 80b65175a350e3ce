//! JSON as Python's `json.dump` writes it: `NaN` is a token, floats have Python's shortest form, text is ASCII.

use std::collections::BTreeMap;
use std::fmt::Write;

use mteb_card::Said;
use mteb_measures::numeric::{numpy_round, python_repr, python_round};
use serde_json::Value;

use crate::tokens::{Token, quote_tokens, token};

/// A JSON value in which NaN and the infinities are numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a point.
    Int(i64),
    /// A number without a point that 64 bits do not hold, as it is written.
    Whole(String),
    /// A number with a point, or `NaN`, `Infinity`, `-Infinity`.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object in its order.
    Map(Vec<(String, Json)>),
}

/// A text that is no JSON.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JsonError(String);

impl Json {
    /// Reads JSON in which the tokens `NaN`, `Infinity` and `-Infinity` may stand for numbers, and whole numbers have any length.
    ///
    /// # Errors
    /// If the text is no such JSON.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let value: Value = serde_json::from_str(&quote_tokens(text))?;
        Ok(Self::from(value))
    }

    /// Reads such JSON in which no object has a key twice: of two values nobody knows which is meant.
    ///
    /// # Errors
    /// If the text is no such JSON.
    pub fn parse_strictly(text: &str) -> Result<Self, JsonError> {
        Ok(Self::from(mteb_data::each_key_once(quote_tokens(text).as_bytes())?))
    }

    /// A float, rounded to six decimals as result files hold it.
    pub fn rounded(value: f64) -> Self {
        Self::Float(if value.is_finite() { python_round(value, 6) } else { value })
    }

    /// A float of numpy's, rounded to six decimals as it rounds.
    pub fn numpy_rounded(value: f64) -> Self {
        Self::Float(if value.is_finite() { numpy_round(value, 6) } else { value })
    }

    /// An object of these entries.
    pub fn object<'a>(entries: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// An object of texts.
    pub fn texts(texts: &BTreeMap<String, String>) -> Self {
        Self::Map(texts.iter().map(|(key, text)| (key.clone(), Self::from(text.as_str()))).collect())
    }

    /// Sets the value under `key` of an object, behind the others if it is new; anything else becomes an object.
    pub fn set(&mut self, key: &str, value: Self) {
        if self.as_map().is_none() {
            *self = Self::Map(Vec::new());
        }
        let Self::Map(entries) = self else { return };
        match entries.iter_mut().find(|(found, _)| found == key) {
            Some((_, found)) => *found = value,
            None => entries.push((key.to_owned(), value)),
        }
    }

    /// Takes the value under `key` out of an object.
    pub fn remove(&mut self, key: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|(found, _)| found != key);
        }
    }

    /// The value under `key` of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(found, _)| found == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value under `key` of an object, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Map(entries) => entries.iter_mut().find(|(found, _)| found == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one; `null` counts as NaN.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Whole(digits) => digits.parse().ok(),
            Self::Float(number) => Some(*number),
            Self::Null => Some(f64::NAN),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(cells) => Some(cells),
            _ => None,
        }
    }

    /// The object's entries, if it is one.
    pub fn as_map(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The text that `json.dump(value, indent=indent)` writes.
    pub fn to_python(&self, indent: usize) -> String {
        let mut out = String::new();
        write_value(self, indent, 0, &mut out);
        out
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(flag),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => Self::Int(whole),
                None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => match token(&text) {
                Some(Token::Number(number)) => Self::Float(number),
                Some(Token::Whole(digits)) => Self::Whole(digits.to_owned()),
                None => Self::Text(text),
            },
            Value::Array(cells) => Self::List(cells.into_iter().map(Self::from).collect()),
            Value::Object(entries) => {
                Self::Map(entries.into_iter().map(|(key, value)| (key, Self::from(value))).collect())
            }
        }
    }
}

/// As a reader sees it who knows nothing of Python's form: what is no number of JSON is `null`.
impl From<&Json> for Value {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::from(*flag),
            Json::Int(number) => Self::from(*number),
            Json::Whole(digits) => match digits.parse::<u64>() {
                Ok(whole) => Self::from(whole),
                Err(_) => digits.parse::<f64>().map_or(Self::Null, Self::from),
            },
            Json::Float(number) => Self::from(*number),
            Json::Text(text) => Self::from(text.as_str()),
            Json::List(cells) => Self::Array(cells.iter().map(Self::from).collect()),
            Json::Map(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Said for Json {
    fn under(&self, key: &str) -> Option<&Self> {
        self.get(key)
    }

    fn is_nothing(&self) -> bool {
        *self == Self::Null
    }
}

fn write_value(value: &Json, indent: usize, depth: usize, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Json::Int(number) => {
            // Writing into a string cannot fail.
            let _ = write!(out, "{number}");
        }
        Json::Whole(digits) => out.push_str(digits),
        Json::Float(number) => out.push_str(&float(*number)),
        Json::Text(text) => write_text(text, out),
        Json::List(cells) => {
            write_items(cells.iter(), ('[', ']'), indent, depth, out, |cell, out| {
                write_value(cell, indent, depth + 1, out);
            });
        }
        Json::Map(entries) => {
            write_items(entries.iter(), ('{', '}'), indent, depth, out, |(key, value), out| {
                write_text(key, out);
                out.push_str(": ");
                write_value(value, indent, depth + 1, out);
            });
        }
    }
}

fn write_items<T>(
    items: impl ExactSizeIterator<Item = T>,
    (open, close): (char, char),
    indent: usize,
    depth: usize,
    out: &mut String,
    mut write_item: impl FnMut(T, &mut String),
) {
    out.push(open);
    let empty = items.len() == 0;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        new_line(indent * (depth + 1), out);
        write_item(item, out);
    }
    if !empty {
        new_line(indent * depth, out);
    }
    out.push(close);
}

fn new_line(spaces: usize, out: &mut String) {
    const SPACES: &str = "                                ";
    out.push('\n');
    let mut left = spaces;
    while left > 0 {
        let now = left.min(SPACES.len());
        out.push_str(&SPACES[..now]);
        left -= now;
    }
}

fn float(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else {
        python_repr(number)
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(plain) =
        rest.bytes().position(|byte| !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\'))
    {
        out.push_str(&rest[..plain]);
        let mut letters = rest[plain..].chars();
        if let Some(letter) = letters.next() {
            write_escaped(letter, out);
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn write_escaped(letter: char, out: &mut String) {
    match letter {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        _ => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_python_writes_it() {
        // json.dumps({"a": [1, 0.1, 1e-05, float("nan"), None, []], "é😀": "x\n\"\x7f"}, indent=2)
        let value = Json::Map(vec![
            (
                "a".to_owned(),
                Json::List(vec![
                    Json::Int(1),
                    Json::Float(0.1),
                    Json::Float(1e-5),
                    Json::Float(f64::NAN),
                    Json::Null,
                    Json::List(Vec::new()),
                ]),
            ),
            ("é😀".to_owned(), Json::from("x\n\"\u{7f}")),
        ]);
        insta::assert_snapshot!(value.to_python(2), @r#"
        {
          "a": [
            1,
            0.1,
            1e-05,
            NaN,
            null,
            []
          ],
          "\u00e9\ud83d\ude00": "x\n\"\u007f"
        }
        "#);
    }

    #[test]
    fn a_value_without_tokens_is_what_any_reader_of_json_finds() {
        let text = r#"{"b":[1,-0.1,1e-7,1e22,18446744073709551615,true,null],"a":{"é":"NaN"},"c":-9223372036854775809}"#;
        let read: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Value::from(&Json::parse(text).unwrap()).to_string(), read.to_string());
        assert_eq!(Value::from(&Json::parse("[NaN, -Infinity]").unwrap()).to_string(), "[null,null]");
    }

    #[test]
    fn tokens_are_read_outside_of_texts_alone() {
        let json = Json::parse(r#"{"ap": NaN, "b": [-Infinity, Infinity], "NaN": "a \" NaN"}"#).unwrap();
        assert!(json.get("ap").unwrap().as_number().unwrap().is_nan());
        assert_eq!(json.get("b").unwrap().as_list().unwrap()[0], Json::Float(f64::NEG_INFINITY));
        assert_eq!(json.get("NaN").unwrap().as_text(), Some("a \" NaN"));
    }
}
