//! The measures beside the usual ones that a card names: of the host, or of packs, `pack/name` with parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::vocabulary::ExtraMeasure;
use mteb_plugin_types::is_parameter_name;

/// What the name of a measure of a pack looks like.
const FORM: &str = r"^[A-Za-z0-9_-]+/[A-Za-z0-9_.-]+(\([A-Za-z][A-Za-z0-9_]*=[0-9eE.+-]+(,[A-Za-z][A-Za-z0-9_]*=[0-9eE.+-]+)*\))?$";

/// A measure of a ranking task beside the usual ones.
#[derive(Clone, Debug, PartialEq)]
pub enum CardMeasure {
    /// One of the host.
    Host(ExtraMeasure),
    /// One of a pack.
    Pack(PackMeasure),
}

/// A measure of a pack with its parameters: `pack/name`, or `pack/name(p=0.5)`.
#[derive(Clone, Debug, PartialEq)]
pub struct PackMeasure {
    /// `pack/name`.
    pub name: String,
    /// The parameters that are not at their defaults.
    pub parameters: BTreeMap<String, f64>,
}

/// A name that is none of a measure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureNameError {
    /// The host has no measure called so.
    #[error("expected one of {known}, or `pack/measure`, found: {0}", known = of_host().join(", "))]
    Unknown(String),
    /// It has not the form of a pack's measure.
    #[error("expected `pack/measure` or `pack/measure(parameter=number)`, found: {0}")]
    Form(String),
    /// It is written in another way than the one by which results know it.
    #[error("expected `{written}`, found: {found}")]
    Written {
        /// How it is to be written.
        written: String,
        /// How it is.
        found: String,
    },
}

impl CardMeasure {
    /// The measure of a pack, if it is one.
    pub fn of_pack(&self) -> Option<&PackMeasure> {
        match self {
            Self::Pack(measure) => Some(measure),
            Self::Host(_) => None,
        }
    }

    /// The measure of the host, if it is one.
    pub fn of_host(&self) -> Option<ExtraMeasure> {
        match self {
            Self::Host(measure) => Some(*measure),
            Self::Pack(_) => None,
        }
    }
}

impl FromStr for CardMeasure {
    type Err = MeasureNameError;

    fn from_str(text: &str) -> Result<Self, MeasureNameError> {
        if text.contains('/') {
            return text.parse().map(Self::Pack);
        }
        let of_host = ExtraMeasure::ALL.iter().find(|known| known.as_str() == text);
        of_host.copied().map(Self::Host).ok_or_else(|| MeasureNameError::Unknown(text.to_owned()))
    }
}

impl FromStr for PackMeasure {
    type Err = MeasureNameError;

    /// The name has one form, so that results of one measure have one key.
    fn from_str(text: &str) -> Result<Self, MeasureNameError> {
        let other = || MeasureNameError::Form(text.to_owned());
        let (name, parameters) = match text.split_once('(') {
            None => (text, BTreeMap::new()),
            Some((name, rest)) => {
                let inner = rest.strip_suffix(')').ok_or_else(other)?;
                let parameters = inner.split(',').map(|pair| {
                    let (name, value) = pair.split_once('=').filter(|(name, _)| is_parameter_name(name))?;
                    let value = value.parse::<f64>().ok().filter(|value| value.is_finite())?;
                    Some((name.to_owned(), value))
                });
                (name, parameters.collect::<Option<BTreeMap<_, _>>>().ok_or_else(other)?)
            }
        };
        let (pack, measure) = name.split_once('/').ok_or_else(other)?;
        let is_plain = |name: &str, more: &str| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || more.contains(letter);
            !name.is_empty() && name.len() <= 64 && name.chars().all(plain)
        };
        if !is_plain(pack, "_-") || !is_plain(measure, "_-.") {
            return Err(other());
        }
        let found = Self { name: name.to_owned(), parameters };
        let written = found.to_string();
        match written == text {
            true => Ok(found),
            false => Err(MeasureNameError::Written { written, found: text.to_owned() }),
        }
    }
}

/// The names of the host's measures.
fn of_host() -> Vec<&'static str> {
    ExtraMeasure::ALL.iter().map(|known| known.as_str()).collect()
}

impl fmt::Display for PackMeasure {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.name)?;
        let pairs: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if pairs.is_empty() { Ok(()) } else { write!(formatter, "({})", pairs.join(",")) }
    }
}

impl fmt::Display for CardMeasure {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Host(measure) => measure.fmt(formatter),
            Self::Pack(measure) => measure.fmt(formatter),
        }
    }
}

impl Serialize for CardMeasure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CardMeasure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}

impl JsonSchema for CardMeasure {
    fn schema_name() -> Cow<'static, str> {
        "ExtraMeasure".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = of_host();
        json_schema!({ "anyOf": [{ "type": "string", "enum": names }, { "type": "string", "pattern": FORM }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_written_as_it_is_read() {
        for text in ["judged", "rbp/rbp", "rbp/rbp(p=0.5)", "my-pack/err.2(a=1,b=-0.25)"] {
            let measure: CardMeasure = text.parse().unwrap();
            assert_eq!(measure.to_string(), text);
            assert_eq!(serde_json::to_value(&measure).unwrap(), text);
            assert_eq!(measure.of_host().is_some(), text == "judged");
        }
        let PackMeasure { name, parameters } = "rbp/rbp(p=0.5)".parse().unwrap();
        assert_eq!((name.as_str(), parameters["p"]), ("rbp/rbp", 0.5));
    }

    #[test]
    fn what_could_be_written_otherwise_or_is_no_name_is_refused() {
        for (text, said) in [
            ("rbp/rbp(p=0.50)", "expected `rbp/rbp(p=0.5)`"),
            ("rbp/rbp(b=1,a=2)", "expected `rbp/rbp(a=2,b=1)`"),
            ("rbp/rbp()", "expected `pack/measure`"),
            ("rbp/rbp(p=inf)", "expected `pack/measure`"),
            ("rbp/rbp(p)", "expected `pack/measure`"),
            ("rbp/", "expected `pack/measure`"),
            ("../x", "expected `pack/measure`"),
            ("a/b/c", "expected `pack/measure`"),
            ("judgd", "expected one of max_over_subqueries"),
        ] {
            let found = text.parse::<CardMeasure>().unwrap_err().to_string();
            assert!(found.starts_with(said) && found.ends_with(text), "{text}: {found}");
        }
    }
}
