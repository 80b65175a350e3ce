//! What is declared of a type of task that the host does not bring: its columns, scores and options.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Role;

/// A task type: what it asks, the columns that it needs, the scores that it computes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeDeclaration {
    /// What a task of the type asks of a model, in one sentence.
    pub about: String,
    /// Columns of its rows, by name; none of a type over rankings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnDeclaration>,
    /// Present if its data are the parts of a ranking task (corpus, queries, qrels), which the host searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<RankingDeclaration>,
    /// Scores that it computes for every unit, by name.
    pub scores: BTreeMap<String, ScoreDeclaration>,
    /// The main score of a task unless its card says otherwise; higher is better, from -1 to 1.
    pub main_score: String,
    /// The score that is the mean of the outcomes of single items; absent: items have no outcomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<String>,
    /// Options that a card may set under `[protocol.own]`, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionDeclaration>,
    /// Instruction for models that take one, where neither the user nor the card names another.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instruction: String,
}

/// What a type over rankings asks of the host's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RankingDeclaration {
    /// How many documents are found for each query, from 1 to 10,000.
    pub depth: usize,
}

impl Default for RankingDeclaration {
    fn default() -> Self {
        Self { depth: 1000 }
    }
}

/// Deepest search of a type.
const DEEPEST: usize = 10_000;

/// A column of the rows of a type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnDeclaration {
    /// What a cell holds.
    #[serde(default)]
    pub holds: Holds,
    /// Role of its texts, which decides the prompt; absent: neither query nor document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// True if rows may lack the column.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    /// Anything, which the evaluator reads by itself and no model sees.
    #[default]
    Any,
    /// A text that a model encodes.
    Text,
    /// A list of texts that a model encodes.
    Texts,
    /// A number.
    Number,
}

impl Holds {
    /// True if a model encodes what the column holds.
    pub fn is_encoded(self) -> bool {
        matches!(self, Self::Text | Self::Texts)
    }
}

/// A score of a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScoreDeclaration {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// True if it is undefined for some data.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undefined: bool,
    /// Which values are better.
    pub better: Better,
}

impl Default for ScoreDeclaration {
    fn default() -> Self {
        Self { low: 0.0, high: 1.0, undefined: false, better: Better::Higher }
    }
}

/// The direction of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Higher values are better.
    #[default]
    Higher,
    /// Lower values are better.
    Lower,
}

/// An option of a type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionDeclaration {
    /// Default value; a card's value has the same type.
    pub default: Value,
    /// What it changes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
}

/// Most columns, scores and options of a type.
const MOST: usize = 200;

/// Names that an answer has beside the scores.
pub const RESERVED_SCORES: [&str; 8] = [
    "main_score",
    "hf_subset",
    "languages",
    "scores",
    "outcomes",
    "warnings",
    "mteb_version",
    "evaluation_time",
];

impl TypeDeclaration {
    /// What of it cannot be: where, and why.
    pub fn faults(&self) -> Vec<(Vec<String>, String)> {
        let mut faults = Vec::new();
        let mut add = |path: &[&str], message: String| {
            faults.push((path.iter().map(|step| (*step).to_owned()).collect(), message));
        };
        if self.about.trim().is_empty() || self.about.contains('\n') {
            add(&["about"], "expected one sentence on what the type asks, found other text".to_owned());
        }
        for (what, count) in
            [("columns", self.columns.len()), ("scores", self.scores.len()), ("options", self.options.len())]
        {
            if count > MOST {
                add(&[what], format!("expected at most {MOST}, found {count}"));
            }
        }
        if let Some(RankingDeclaration { depth }) = self.ranking {
            if !self.columns.is_empty() {
                let message = "expected no columns of a type over rankings, whose data are corpus, queries and qrels, found some";
                add(&["columns"], message.to_owned());
            }
            if !(1..=DEEPEST).contains(&depth) {
                add(&["ranking", "depth"], format!("expected 1 to {DEEPEST}, found {depth}"));
            }
        } else if !self.columns.values().any(|column| column.holds.is_encoded() && !column.optional) {
            let message =
                "expected a column that `holds = \"text\"` or `\"texts\"` for a model to encode, found none";
            add(&["columns"], message.to_owned());
        }
        for (name, column) in &self.columns {
            if column.role.is_some() && !column.holds.is_encoded() {
                let message = "expected a role only for texts, found one for a column that no model encodes";
                add(&["columns", name, "role"], message.to_owned());
            }
        }
        for (name, score) in &self.scores {
            if !is_score_name(name) {
                let message = format!(
                    "expected a name of letters, digits, `_`, `-` and `.` that results do not use for something \
                     else, found: {name}"
                );
                add(&["scores", name], message);
            }
            if !(score.low.is_finite() && score.high.is_finite() && score.low < score.high) {
                let message = format!("expected `low` below `high`, found {} and {}", score.low, score.high);
                add(&["scores", name], message);
            }
        }
        self.main_score_faults(&mut add);
        for (name, option) in &self.options {
            if option.default.is_null() || option.default.is_object() {
                let message = "expected a number, a text, `true`, `false` or a list, found something else";
                add(&["options", name, "default"], message.to_owned());
            }
        }
        faults
    }

    fn main_score_faults(&self, add: &mut dyn FnMut(&[&str], String)) {
        let known = || self.scores.keys().cloned().collect::<Vec<_>>().join(", ");
        let main = &self.main_score;
        match self.scores.get(main) {
            None => add(&["main_score"], format!("expected one of the scores ({}), found: {main}", known())),
            Some(score) if score.better == Better::Lower || score.low < -1.0 || score.high > 1.0 => {
                let message = format!(
                    "expected a score from -1 to 1 where higher is better, because means are computed from main \
                     scores, found: {main}"
                );
                add(&["main_score"], message);
            }
            Some(_) => {}
        }
        if let Some(name) = self.outcomes.as_ref().filter(|name| !self.scores.contains_key(*name)) {
            add(&["outcomes"], format!("expected one of the scores ({}), found: {name}", known()));
        }
    }

    /// The options that hold where a card sets `own`: the others at their defaults.
    pub fn options_with(&self, own: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
        let defaults = self.options.iter().map(|(name, option)| (name.clone(), option.default.clone()));
        let mut options: BTreeMap<String, Value> = defaults.collect();
        options.extend(own.iter().map(|(name, value)| (name.clone(), value.clone())));
        options
    }
}

fn is_score_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    !name.is_empty() && name.len() <= 80 && name.chars().all(plain) && !RESERVED_SCORES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(toml: &str) -> Vec<String> {
        let declaration: TypeDeclaration = toml::from_str(toml).unwrap();
        declaration
            .faults()
            .into_iter()
            .map(|(path, message)| format!("{}: {message}", path.join(".")))
            .collect()
    }

    const SOUND: &str = "about = \"Is it easy to read?\"\nmain_score = \"spearman\"\noutcomes = \"spearman\"\n[columns]\n\
                         text = { holds = \"text\" }\ngrade = { holds = \"number\" }\n[scores]\nspearman = { low = -1.0 }\n\
                         words = { high = 900.0, better = \"lower\" }\n[options]\nfolds = { default = 5 }\n";

    #[test]
    fn a_sound_declaration_has_no_faults_and_gives_its_options_defaults() {
        assert_eq!(faults(SOUND), Vec::<String>::new());
        let declaration: TypeDeclaration = toml::from_str(SOUND).unwrap();
        assert_eq!(declaration.options_with(&BTreeMap::new())["folds"], 5);
        let own = BTreeMap::from([("folds".to_owned(), Value::from(7))]);
        assert_eq!(declaration.options_with(&own)["folds"], 7);
    }

    #[test]
    fn a_type_over_rankings_has_a_depth_and_no_columns() {
        let columns = "[columns]\ntext = { holds = \"text\" }\ngrade = { holds = \"number\" }\n";
        let ranking = SOUND.replace(columns, "[ranking]\n");
        assert_eq!(faults(&ranking), Vec::<String>::new());
        let declaration: TypeDeclaration = toml::from_str(&ranking).unwrap();
        assert_eq!(declaration.ranking, Some(RankingDeclaration { depth: 1000 }));
        let both = faults(&SOUND.replace("[columns]", "[ranking]\ndepth = 0\n[columns]"));
        assert!(both[0].starts_with("columns: expected no columns of a type over rankings"), "{both:?}");
        assert_eq!(both[1], "ranking.depth: expected 1 to 10000, found 0");
    }

    #[test]
    fn what_no_result_or_mean_could_hold_is_a_fault() {
        let found = faults(&SOUND.replace("main_score = \"spearman\"", "main_score = \"words\""));
        assert!(found[0].starts_with("main_score: expected a score from -1 to 1"), "{found:?}");
        let found = faults(&SOUND.replace("main_score = \"spearman\"", "main_score = \"spear\""));
        assert_eq!(found, ["main_score: expected one of the scores (spearman, words), found: spear"]);
        let found = faults(&SOUND.replace("holds = \"text\"", "role = \"query\""));
        assert_eq!(found.len(), 2, "no texts, and a role of none: {found:?}");
        let found = faults(&SOUND.replace("words =", "outcomes ="));
        assert!(found[0].starts_with("scores.outcomes: expected a name"), "{found:?}");
    }
}
