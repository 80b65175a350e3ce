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
    /// Languages such as `ind_Latn`. Every ordered pair of them is a subset of its own, named e.g.
    /// `ind_Latn-eng_Latn`: this entry stands for all of them, whatever its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<String>,
    /// Config of the dataset that holds the subset; absent: the subset's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The two columns with the sides of the pair, `sentence1` and `sentence2`; absent: as in the
    /// rest of the task, or for parallel columns the parts of the subset's name before and after
    /// `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<[String; 2]>,
    /// Without a training split for the subset: train on some rows of its evaluation split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<HoldOut>,
    /// Splits of this subset; absent: those of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_splits: Option<Vec<String>>,
}
