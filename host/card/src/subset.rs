//! One subset of a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HoldOut;

/// A subset: usually one language, or one pair of languages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subset {
    /// Languages, e.g. `ind-Latn`; for a pair, first side first.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Languages as `ind_Latn`, of which every ordered pair is a subset of its own, called `ind_Latn-eng_Latn`: this entry stands
    /// for all of them, whatever its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<String>,
    /// Config of the dataset that holds the subset; absent: the subset's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The two columns that are the sides of the pair, `sentence1` and `sentence2`; absent: as everywhere else in the task,
    /// and for parallel columns the parts of the subset's name around `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[String; 2]>,
    /// Without a training split for the subset: train on some rows of its evaluation split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<HoldOut>,
    /// Splits of this subset; absent: those of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_splits: Option<Vec<String>>,
}
