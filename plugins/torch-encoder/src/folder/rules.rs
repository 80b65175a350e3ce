//! Which values the keys of a configuration file may have, so that a value of another kind is not
//! taken for a missing one.

use serde_json::Value;

use super::config::Config;
use crate::error::TorchError;

/// What may stand under a key that is there.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// A whole number, not negative.
    Whole,
    /// A whole number, or null.
    WholeOrNone,
    /// A number.
    Number,
    /// A number with a point, as transformers demands where it takes no whole one.
    Fraction,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// A text, or null.
    TextOrNone,
    /// A list, or null.
    List,
    /// An object, or null.
    Object,
    /// What switches nothing on: false, null, 0, or something empty. The rest is not computed.
    Off,
    /// True, or null. The rest is not computed.
    On,
    /// This number, or null. The rest is not computed.
    Is(f64),
    /// One of these texts. The rest is not computed.
    OneOf(&'static [&'static str]),
    /// Anything: it changes no number.
    Any,
}

/// Keys with what may stand under them.
pub type Rules = [(&'static str, Rule)];

impl Config {
    /// Checks every value for which there is a rule.
    ///
    /// # Errors
    /// If a value is of another kind, or asks for what is not computed; the key is named.
    pub fn obey(&self, rules: &Rules) -> Result<(), TorchError> {
        for (key, rule) in rules {
            let Some(value) = self.raw(key) else { continue };
            if rule.allows(value) {
                continue;
            }
            let message = format!("`{key}`: expected {}, found: {}", rule.words(), excerpt(value));
            return Err(if rule.is_choice() { self.unsupported(message) } else { self.wrong(message) });
        }
        Ok(())
    }

    /// Checks every value, each of which must have a rule: for files of which the reference takes no other key.
    ///
    /// # Errors
    /// As `obey`, and if a key has no rule.
    pub fn obey_strictly(&self, rules: &Rules) -> Result<(), TorchError> {
        let known = |name: &str| rules.iter().any(|(key, _)| *key == name);
        if let Some(key) = self.keys().find(|key| !known(key)) {
            return Err(self.unsupported(format!("the key `{key}` is unknown, and not supported")));
        }
        self.obey(rules)
    }
}

impl Rule {
    fn allows(self, value: &Value) -> bool {
        match self {
            Self::Whole => value.is_u64(),
            Self::WholeOrNone => value.is_u64() || value.is_null(),
            Self::Number => value.is_number(),
            Self::Fraction => value.is_f64(),
            Self::Flag => value.is_boolean(),
            Self::Text => value.is_string(),
            Self::TextOrNone => value.is_string() || value.is_null(),
            Self::List => value.is_array() || value.is_null(),
            Self::Object => value.is_object() || value.is_null(),
            Self::Off => is_off(value),
            Self::On => value.is_null() || value.as_bool() == Some(true),
            Self::Is(number) => value.is_null() || value.as_f64() == Some(number),
            Self::OneOf(texts) => value.as_str().is_some_and(|text| texts.contains(&text)),
            Self::Any => true,
        }
    }

    fn is_choice(self) -> bool {
        matches!(self, Self::Off | Self::On | Self::Is(_) | Self::OneOf(_))
    }

    fn words(self) -> String {
        match self {
            Self::Whole => "a whole number".to_owned(),
            Self::WholeOrNone => "a whole number or null".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Fraction => "a decimal number".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::TextOrNone => "a string or null".to_owned(),
            Self::List => "a list or null".to_owned(),
            Self::Object => "an object or null".to_owned(),
            Self::Off => "none, because nothing else is supported".to_owned(),
            Self::On => "true, because nothing else is supported".to_owned(),
            Self::Is(number) => format!("{number}, because nothing else is supported"),
            Self::OneOf(texts) => format!("one of {}", texts.join(", ")),
            Self::Any => "anything".to_owned(),
        }
    }
}

fn is_off(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
    }
}

/// A value for a message: its begin.
pub fn excerpt(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
