//! Options of models that a plugin declares in its manifest, so that the host checks what a user chooses before any model is made.
//!
//! The interface `v1` has no room for declarations, and its manifest none for new fields: each declaration is one of its `features`,
//! which earlier hosts pass over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Manifest;

/// The name under which the options of a model's configuration hold what the user has chosen: name = value.
pub const MODEL_OPTIONS: &str = "model_options";

/// How a feature begins that declares an option; JSON follows.
const FEATURE: &str = "model_option ";

/// One option of the models of a plugin.
///
/// ```
/// use mteb_plugin_types::{Manifest, ModelOption, OptionType};
///
/// let window = ModelOption::new("window", OptionType::Integer, "Tokens per window.").at_least(1.0).at_most(512.0);
/// let features = vec![window.feature()];
/// let manifest = Manifest { features, ..Manifest::model("mine", "0.1.0", &["mine"]) };
/// assert_eq!(ModelOption::declared(&manifest, "mine"), [window.clone()]);
/// assert_eq!(window.read("64"), Ok(64.into()));
/// assert_eq!(window.read("many").unwrap_err(), "expected an integer from 1 to 512, found: many");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelOption {
    /// Name: small letters, digits and `_`.
    pub name: String,
    /// Type of its value.
    #[serde(rename = "type")]
    pub kind: OptionType,
    /// What it changes, in one sentence.
    pub text: String,
    /// The value that the model takes by itself; whoever chooses it chooses nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Smallest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// Largest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// The texts that may be chosen; empty for any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Models that have it, by name or as `prefix*`; empty for all of the plugin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
}

/// Type of the value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OptionType {
    /// A whole number.
    Integer,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any text, or one of the choices.
    Text,
}

impl ModelOption {
    /// An option of all models of a plugin.
    pub fn new(name: &str, kind: OptionType, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            text: text.to_owned(),
            default: None,
            least: None,
            most: None,
            choices: Vec::new(),
            models: Vec::new(),
        }
    }

    /// The same with the value that the model takes by itself.
    #[must_use]
    pub fn or(self, default: impl Into<Value>) -> Self {
        Self { default: Some(default.into()), ..self }
    }

    /// The same with a smallest number.
    #[must_use]
    pub fn at_least(self, least: f64) -> Self {
        Self { least: Some(least), ..self }
    }

    /// The same with a largest number.
    #[must_use]
    pub fn at_most(self, most: f64) -> Self {
        Self { most: Some(most), ..self }
    }

    /// The same with the texts that may be chosen.
    #[must_use]
    pub fn one_of(self, choices: &[&str]) -> Self {
        Self { choices: choices.iter().map(|choice| (*choice).to_owned()).collect(), ..self }
    }

    /// The same for these models alone.
    #[must_use]
    pub fn of_models(self, models: &[&str]) -> Self {
        Self { models: models.iter().map(|model| (*model).to_owned()).collect(), ..self }
    }

    /// The declaration as one of the manifest's features.
    pub fn feature(&self) -> String {
        format!("{FEATURE}{}", serde_json::to_string(self).unwrap_or_default())
    }

    /// The options of `model` that a manifest declares. What cannot be read, as of a later version, is passed over.
    pub fn declared(manifest: &Manifest, model: &str) -> Vec<Self> {
        let has =
            |option: &Self| option.models.is_empty() || option.models.iter().any(|name| is_of(name, model));
        let declared = Self::read_all(manifest).into_iter().filter_map(Result::ok);
        declared.filter(has).collect()
    }

    /// What is wrong with the declarations of a manifest, one line each.
    pub fn faults(manifest: &Manifest) -> Vec<String> {
        let mut seen: Vec<Self> = Vec::new();
        let mut faults = Vec::new();
        for declared in Self::read_all(manifest) {
            match declared {
                Err(fault) => faults.push(fault),
                Ok(option) => {
                    faults.extend(option.fault());
                    let is_same = |other: &&Self| other.name == option.name && other.models == option.models;
                    if seen.iter().any(|other| is_same(&other)) {
                        faults.push(format!(
                            "manifest, features: the model option `{}` is declared twice",
                            option.name
                        ));
                    }
                    seen.push(option);
                }
            }
        }
        faults
    }

    /// The value that a user has written.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let value = match self.kind {
            OptionType::Integer => text.parse::<i64>().ok().map(Value::from),
            OptionType::Number => {
                text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
            }
            OptionType::Boolean => text.parse::<bool>().ok().map(Value::from),
            OptionType::Text => Some(Value::from(text)),
        };
        let value = value.filter(|value| self.allows(value));
        value.ok_or_else(|| format!("expected {}, found: {text}", self.expected()))
    }

    /// What a value must be, in words.
    pub fn expected(&self) -> String {
        let kind = match self.kind {
            OptionType::Text if !self.choices.is_empty() => {
                return format!("one of {}", self.choices.join(", "));
            }
            OptionType::Text => "a text",
            OptionType::Boolean => "`true` or `false`",
            OptionType::Integer => "an integer",
            OptionType::Number => "a number",
        };
        match (self.least, self.most) {
            (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
            (Some(least), None) => format!("{kind} from {least}"),
            (None, Some(most)) => format!("{kind} up to {most}"),
            (None, None) => kind.to_owned(),
        }
    }

    fn allows(&self, value: &Value) -> bool {
        let is_of_kind = match self.kind {
            OptionType::Integer => value.is_i64(),
            OptionType::Number => value.is_number(),
            OptionType::Boolean => value.is_boolean(),
            OptionType::Text => value.is_string(),
        };
        let number = value.as_f64();
        let is_within = number.is_none_or(|number| {
            self.least.is_none_or(|least| number >= least) && self.most.is_none_or(|most| number <= most)
        });
        let is_choice = self.choices.is_empty() || self.choices.iter().any(|choice| value == choice.as_str());
        is_of_kind && is_within && is_choice
    }

    fn fault(&self) -> Option<String> {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        let fault = if self.name.is_empty() || !self.name.chars().all(plain) {
            "expected a name of small letters, digits and `_`".to_owned()
        } else if self.text.trim().is_empty() {
            "expected a sentence in `text`".to_owned()
        } else if self.default.as_ref().is_some_and(|default| !self.allows(default)) {
            format!("expected {} as default", self.expected())
        } else {
            return None;
        };
        Some(format!("manifest, features, model option `{}`: {fault}", self.name))
    }

    fn read_all(manifest: &Manifest) -> Vec<Result<Self, String>> {
        let declared = manifest.features.iter().filter_map(|feature| feature.strip_prefix(FEATURE));
        let read = |json: &str| {
            serde_json::from_str(json)
                .map_err(|error| format!("manifest, features, model option: {error}: {json}"))
        };
        declared.map(read).collect()
    }
}

/// What a user has chosen, as a model's configuration holds it under [`MODEL_OPTIONS`] in its options.
pub fn chosen_options(options: &Map<String, Value>) -> Option<&Map<String, Value>> {
    options.get(MODEL_OPTIONS)?.as_object().filter(|chosen| !chosen.is_empty())
}

fn is_of(pattern: &str, model: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == model, |prefix| model.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_of_their_type_and_within_their_bounds() {
        let number = ModelOption::new("scale", OptionType::Number, "t").at_least(0.5);
        assert_eq!(number.read("2"), Ok(2.0.into()));
        assert_eq!(number.read("0.1").unwrap_err(), "expected a number from 0.5, found: 0.1");
        assert!(number.read("nan").is_err() && number.read("inf").is_err());
        let pooling = ModelOption::new("pooling", OptionType::Text, "t").one_of(&["mean", "cls"]);
        assert_eq!(pooling.read("cls"), Ok("cls".into()));
        assert_eq!(pooling.read("max").unwrap_err(), "expected one of mean, cls, found: max");
        let lower = ModelOption::new("lower", OptionType::Boolean, "t");
        assert_eq!((lower.read("true"), lower.read("yes").is_err()), (Ok(true.into()), true));
        assert!(ModelOption::new("n", OptionType::Integer, "t").read("1.5").is_err());
    }

    #[test]
    fn an_option_of_some_models_is_not_one_of_others() {
        let option = ModelOption::new("window", OptionType::Integer, "t").of_models(&["big-*", "one"]);
        let features = vec!["notes".to_owned(), option.feature(), "model_option {\"later\": 1}".to_owned()];
        let manifest = Manifest { features, ..Manifest::model("mine", "1", &["*"]) };
        let names = |model: &str| ModelOption::declared(&manifest, model).len();
        assert_eq!([names("big-1"), names("one"), names("two")], [1, 1, 0]);
        assert_eq!(ModelOption::faults(&manifest).len(), 1, "what cannot be read");
    }

    #[test]
    fn faulty_declarations_are_named() {
        let faults = |option: ModelOption| {
            let features = vec![option.feature()];
            ModelOption::faults(&Manifest { features, ..Manifest::model("mine", "1", &["*"]) })
        };
        let option = |name: &str| ModelOption::new(name, OptionType::Integer, "Tokens.").at_least(1.0);
        assert_eq!(faults(option("window").or(8)), Vec::<String>::new());
        assert!(faults(option("Window"))[0].contains("expected a name of small letters"));
        assert!(faults(option("window").or(0))[0].ends_with("expected an integer from 1 as default"));
        assert!(faults(ModelOption { text: String::new(), ..option("window") })[0].contains("a sentence"));
    }
}
