//! What is declared of a measure over rankings and judgements that the host does not bring.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Better;

/// A measure: what it says of a query, and how the values of queries become one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureDeclaration {
    /// One sentence with the formula for one query.
    pub about: String,
    /// Of a measure that a card declares: `python:FILE.py:Class`, a file beside the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<String>,
    /// Files that the evaluator reads or imports beside its own, in the card's folder or below; it
    /// can read no others. Results depend on their content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluator_files: Vec<String>,
    /// Lowest value of a query.
    #[serde(default)]
    pub low: f64,
    /// Highest value of a query.
    #[serde(default = "one")]
    pub high: f64,
    /// Which values are better.
    #[serde(default)]
    pub better: Better,
    /// True if it is measured at each cut of a task; else once, over all that was found down to the largest cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_cuts: bool,
    /// How the values of queries become one.
    #[serde(default)]
    pub aggregate: Aggregate,
    /// Numbers that the formula depends on, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, ParameterDeclaration>,
}

fn one() -> f64 {
    1.0
}

impl Default for MeasureDeclaration {
    fn default() -> Self {
        Self {
            about: String::new(),
            evaluator: None,
            evaluator_files: Vec::new(),
            low: 0.0,
            high: one(),
            better: Better::Higher,
            at_cuts: false,
            aggregate: Aggregate::Mean,
            parameters: BTreeMap::new(),
        }
    }
}

/// How the values of queries become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Aggregate {
    /// Their mean.
    #[default]
    Mean,
    /// Their median; of an even number the mean of the two in the middle.
    Median,
    /// Their geometric mean, of which values below 0.00001 count as that, as in trec_eval's GMAP.
    GeometricMean,
    /// The lowest.
    Lowest,
    /// The highest.
    Highest,
}

/// A number that a formula depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterDeclaration {
    /// What holds where a card says nothing.
    pub default: f64,
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
}

/// Most parameters of a measure.
const MOST: usize = 20;

impl MeasureDeclaration {
    /// What of it cannot be: where, and why.
    pub fn faults(&self) -> Vec<(Vec<String>, String)> {
        let mut faults = Vec::new();
        let mut add = |path: &[&str], message: String| {
            faults.push((path.iter().map(|step| (*step).to_owned()).collect(), message));
        };
        if self.about.trim().is_empty() || self.about.contains('\n') {
            add(&["about"], "expected one sentence with the formula, found another text".to_owned());
        }
        if !is_range(self.low, self.high) {
            add(&["low"], format!("expected `low` below `high`, found {} and {}", self.low, self.high));
        }
        if self.aggregate == Aggregate::GeometricMean && self.low < 0.0 {
            let message =
                format!("expected no values below 0 for a geometric mean, found `low = {}`", self.low);
            add(&["aggregate"], message);
        }
        if self.parameters.len() > MOST {
            add(&["parameters"], format!("expected at most {MOST}, found {}", self.parameters.len()));
        }
        for (name, parameter) in &self.parameters {
            if !is_parameter_name(name) {
                let message =
                    format!("expected a name of letters, digits and `_`, a letter first, found: {name}");
                add(&["parameters", name], message);
            }
            let ParameterDeclaration { default, low, high } = parameter;
            if !is_range(*low, *high) || !(low..=high).contains(&default) {
                let message = format!(
                    "expected `low` below `high` and the default between them, found {low}, {high} and {default}"
                );
                add(&["parameters", name], message);
            }
        }
        faults
    }

    /// True if it may stand for a task: from -1 to 1, higher is better, and a mean of queries, as intervals and comparisons are made of
    /// what single queries come to.
    pub fn may_be_main(&self) -> bool {
        let is_mean = self.aggregate == Aggregate::Mean;
        is_mean && self.better == Better::Higher && self.low >= -1.0 && self.high <= 1.0
    }

    /// The parameters that hold where a card sets `own`: the others at their defaults.
    pub fn parameters_with(&self, own: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
        let mut all: BTreeMap<String, f64> =
            self.parameters.iter().map(|(name, parameter)| (name.clone(), parameter.default)).collect();
        all.extend(own.iter().map(|(name, value)| (name.clone(), *value)));
        all
    }
}

fn is_range(low: f64, high: f64) -> bool {
    low.is_finite() && high.is_finite() && low < high
}

/// True if a parameter may be called so.
pub fn is_parameter_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "about = \"(1 - p) times the sum of gains times p to the power of the rank before.\"\n\
                         [parameters]\np = { default = 0.8, low = 0.0, high = 1.0 }\n";

    fn faults(toml: &str) -> Vec<String> {
        let declaration: MeasureDeclaration = toml::from_str(toml).unwrap();
        declaration
            .faults()
            .into_iter()
            .map(|(path, message)| format!("{}: {message}", path.join(".")))
            .collect()
    }

    #[test]
    fn a_sound_measure_has_no_faults_and_gives_its_parameters_defaults() {
        assert_eq!(faults(SOUND), Vec::<String>::new());
        let declaration: MeasureDeclaration = toml::from_str(SOUND).unwrap();
        assert_eq!(declaration.parameters_with(&BTreeMap::new())["p"], 0.8);
        assert_eq!(declaration.parameters_with(&BTreeMap::from([("p".to_owned(), 0.5)]))["p"], 0.5);
        assert!(declaration.may_be_main());
        let cost: MeasureDeclaration = toml::from_str(&format!("better = \"lower\"\n{SOUND}")).unwrap();
        assert!(!cost.may_be_main(), "means are made of scores of which higher is better");
    }

    #[test]
    fn what_no_query_could_come_to_is_a_fault() {
        assert!(faults(&SOUND.replace("default = 0.8", "default = 1.8"))[0].starts_with("parameters.p: "));
        assert!(faults(&format!("low = 2.0\n{SOUND}"))[0].starts_with("low: expected `low` below `high`"));
        let found = faults(&format!("low = -1.0\naggregate = \"geometric-mean\"\n{SOUND}"));
        assert!(found[0].starts_with("aggregate: expected no values below 0"), "{found:?}");
        assert!(faults(&SOUND.replace("p = {", "\"p q\" = {"))[0].contains("expected a name of letters"));
    }
}
