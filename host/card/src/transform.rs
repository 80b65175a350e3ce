//! What a card changes in the rows of its dataset beyond names and values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A subsample, stratified by label (protocol 6.9; rows with lists of labels: 6.8) or drawn from
/// all rows alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Subsample {
    /// Number of rows to keep (2048); a split with no more rows is kept whole and in order.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub rows: usize,
    /// Splits to subsample; absent: the evaluation splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<Vec<String>>,
    /// Column with the labels; absent: `label` or `labels`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Seed of the draws (42).
    pub seed: u32,
    /// True if the dataset declares its labels as class numbers: these are ordered as numbers, others as texts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub class_numbers: bool,
    /// True to sample before rows are selected and labels replaced (`keep` and later steps).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub before_keep: bool,
    /// True to sample from all rows, whatever their labels (protocol 6.9).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any_label: bool,
}

/// Labels of several levels in one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitLabels {
    /// Separator between levels, such as the dot in `cs.LG`.
    #[schemars(length(min = 1))]
    pub at: String,
    /// Maximum number of levels, from the coarsest; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub most: Option<usize>,
}

/// How to train without a training split: the rows of the evaluation split are divided, stratified
/// by label (protocol 6.9), and the rows that are not held out are used for training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HoldOut {
    /// Share of the rows to hold out for evaluation (0.2), rounded up.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// Maximum number of held-out rows to score, sampled with the same seed; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub rows: Option<usize>,
    /// Number of rows to hold out, instead of a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub test: Option<usize>,
    /// Number of other rows to train on; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub train: Option<usize>,
    /// Column to stratify by, with values ordered as texts; absent: the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Seed of the draws (42).
    pub seed: u32,
}

/// Which of several rows with one value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Once {
    /// The first one.
    First,
    /// The last one.
    Last,
}

/// Labels that are given as one weight per class, or as the name of a class.
///
/// The label is the index of the largest weight (the first one in a tie), or the index of the name.
/// Rows whose cell is neither are dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoftLabels {
    /// Column with lists of weights, such lists as texts, or names of classes.
    pub column: String,
    /// Names of the classes; the first one is label 0.
    pub classes: Vec<String>,
}

impl Default for HoldOut {
    fn default() -> Self {
        Self { share: 0.2, rows: None, test: None, train: None, by: None, seed: 42 }
    }
}

impl Default for Subsample {
    fn default() -> Self {
        Self {
            rows: 2048,
            splits: None,
            label: None,
            seed: 42,
            class_numbers: false,
            before_keep: false,
            any_label: false,
        }
    }
}
