//! Scores that a named model is known to reach.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Expected main scores of one model, by split and subset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// Where the scores come from.
    pub source: String,
    /// Largest difference that counts as equal.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// Main scores: split, then subset, then score.
    #[serde(flatten)]
    pub splits: BTreeMap<String, BTreeMap<String, f64>>,
}

fn tolerance() -> f64 {
    0.0005
}
