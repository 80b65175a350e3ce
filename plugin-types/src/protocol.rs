//! What the host and a pack say to each other, as JSON: evaluators of types of tasks, and measures. Rows,
//! numbers, rankings and grades lie in memory that both map.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::Role;

/// Feature of a manifest, and the method of `task_call` that answers with what the type declares.
pub const TASK_TYPE: &str = "task_type";

/// Feature of a manifest, and the method of `task_call` that says which texts a unit needs; without it, all columns of texts.
pub const PLAN: &str = "plan";

/// What the evaluator is told of a unit, whatever it is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitQuestion {
    /// Name of the task.
    pub task: String,
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// What random draws begin with: the same for the same unit, whatever was evaluated before.
    pub seed: u32,
    /// The options of the card, the others at their defaults.
    pub options: BTreeMap<String, Value>,
    /// The file in memory in which rows and numbers lie.
    #[serde(default)]
    pub memory: String,
    /// Where the rows are: JSON lines.
    pub rows: Place,
}

/// The answer to [`PLAN`]: which texts are to be encoded, and what is wanted of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypePlan {
    /// Sets of texts, each with a name of its own.
    pub texts: Vec<TextSet>,
    /// What the host computes of their embeddings.
    #[serde(default)]
    pub services: Vec<Service>,
}

/// Texts that are encoded together: those of a column, of some of its rows, or others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextSet {
    /// Its name.
    pub name: String,
    /// The column that has the texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Rows of that column; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<usize>>,
    /// The texts, if they are no column's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<Vec<String>>,
    /// What they are for; absent: neither query nor document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// False if only services need the embeddings.
    #[serde(default = "yes")]
    pub embeddings: bool,
}

fn yes() -> bool {
    true
}

impl TextSet {
    /// All texts of a column, under its name.
    pub fn of_column(column: &str, role: Option<Role>) -> Self {
        let (name, column) = (column.to_owned(), Some(column.to_owned()));
        Self { name, column, rows: None, texts: None, role, embeddings: true }
    }

    /// Texts that no column has.
    pub fn of_texts(name: &str, texts: Vec<String>, role: Option<Role>) -> Self {
        Self { name: name.to_owned(), column: None, rows: None, texts: Some(texts), role, embeddings: true }
    }
}

/// What the host computes of embeddings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "service", rename_all = "lowercase", deny_unknown_fields)]
pub enum Service {
    /// How like text i of one set is to text i of the other.
    Pairs {
        /// A set of texts.
        left: String,
        /// Another one of the same length.
        right: String,
        /// By what.
        measure: PairMeasure,
    },
    /// The most similar texts of a set for each of another one, best first, the first of equal ones first.
    Nearest {
        /// The set whose texts are sought for.
        queries: String,
        /// The set in which they are found.
        documents: String,
        /// How many for each.
        k: usize,
    },
}

/// What two embeddings are compared by; higher is more alike but for the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairMeasure {
    /// The model's own similarity.
    Model,
    /// The cosine distance of scikit-learn in 32 bits; the similarity is 1 minus it, in 64 bits.
    CosineDistance,
    /// Minus the Manhattan distance.
    Manhattan,
    /// Minus the Euclidean distance.
    Euclidean,
    /// The inner product.
    Dot,
}

/// The question `score`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreQuestion {
    /// The unit.
    pub unit: UnitQuestion,
    /// Where the embeddings of each set are: 32-bit floating-point numbers, row after row.
    pub embeddings: BTreeMap<String, Place>,
    /// Where the answer of each service is: similarities, one a row; or of each query first the places of all that were found, 32-bit
    /// unsigned, then their similarities, with the largest place where fewer were found.
    pub services: Vec<Place>,
    /// Of a type over rankings: what was found for each query, and what is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked: Option<RankedPlaces>,
}

/// The answer to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeAnswer {
    /// The scores, by name; null where one is not defined.
    pub scores: NamedScores,
    /// What each row came to, of types that say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<f64>>,
    /// What the reader of the result should know, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Scores as they were written: a name that stands there twice is there twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedScores(pub Vec<(String, Option<f64>)>);

impl Serialize for NamedScores {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, score)| (name, score)))
    }
}

impl<'de> Deserialize<'de> for NamedScores {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = NamedScores;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("numbers by the names of scores")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedScores, A::Error> {
                let mut scores = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    scores.push(entry);
                }
                Ok(NamedScores(scores))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// Feature of a manifest; the task of this name, which the manifest does not list, answers the method of this name with all that it
/// declares, and [`MEASURE`].
pub const MEASURES: &str = "measures";

/// The method that measures queries.
pub const MEASURE: &str = "measure";

/// Where the rankings and judgements of queries lie in the memory. Query `i` has the numbers from `begins[i]` to `begins[i + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedPlaces {
    /// Where what was found for each query begins, and where the last one ends: 32-bit unsigned.
    pub found_begins: Place,
    /// The grades of found documents, best rank first: 64-bit, NaN of what nobody judged.
    pub found_grades: Place,
    /// Their scores, 64-bit.
    pub found_scores: Place,
    /// Where the judgements of each query begin, and where the last one ends: 32-bit unsigned.
    pub judged_begins: Place,
    /// All grades of each query, highest first: 64-bit.
    pub judged_grades: Place,
    /// For types of tasks: the ids of documents, a JSON text a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<Place>,
    /// For types of tasks: the line of the id of each found document, 32-bit unsigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_documents: Option<Place>,
    /// For types of tasks: the line of the id of each judged document, 32-bit unsigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_documents: Option<Place>,
}

/// The question to [`MEASURE`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasureQuestion {
    /// What is measured, and where the memory is.
    pub unit: MeasuredUnit,
    /// Name of the measure, without its pack.
    pub measure: String,
    /// Its parameters, all of them.
    pub parameters: BTreeMap<String, f64>,
    /// How many of the found documents count: each cut of a measure at cuts, else the largest alone.
    pub cuts: Vec<usize>,
    /// The grade above 0 from which on a document is relevant.
    pub threshold: f64,
    /// Rankings and judgements.
    pub ranked: RankedPlaces,
}

/// The unit whose queries are measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredUnit {
    /// Name of the task.
    pub task: String,
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// The file in memory in which the numbers lie.
    #[serde(default)]
    pub memory: String,
}

/// The answer to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureAnswer {
    /// For each cut a value a query.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Where something lies in the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// First byte, a multiple of 64.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// How many rows there are.
    pub rows: u64,
    /// Numbers a row; 0 of JSON lines.
    #[serde(default)]
    pub dimension: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_that_is_given_twice_is_seen_twice() {
        let answer: TypeAnswer = serde_json::from_str("{\"scores\": {\"a\": 1, \"a\": null}}").unwrap();
        assert_eq!(answer.scores.0, [("a".to_owned(), Some(1.0)), ("a".to_owned(), None)]);
    }

    #[test]
    fn a_plan_says_no_more_than_it_may() {
        let sound = r#"{"texts": [{"name": "a", "column": "text", "role": "query"}],
                        "services": [{"service": "nearest", "queries": "a", "documents": "a", "k": 3}]}"#;
        let plan: TypePlan = serde_json::from_str(sound).unwrap();
        assert!(plan.texts[0].embeddings);
        assert!(serde_json::from_str::<TypePlan>(&sound.replace("\"k\"", "\"n\"")).is_err());
        assert!(serde_json::from_str::<TypePlan>(&sound.replace("\"role\"", "\"rolle\"")).is_err());
    }
}
