//! What the host and a measure of a pack say to each other, as JSON: rankings and grades lie in memory that both map.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::place::Place;

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
