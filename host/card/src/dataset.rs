//! Where a task's data is, and how its columns are called.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SoftLabels, Subsample};

/// Where the data is: on a hub, in local files, or in the plugin that brings the task. Exactly one of
/// `hub`, `path` and `plugin` is set.
///
/// What a task changes in its rows happens in this order: `merge_splits`, `first_rows`, the rows of the subset
/// (`layout`), `unfold`, `join`, `columns`, `keep`, `drop`, `soft_labels`, `label_map`, `encode_labels`, `subsample`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dataset {
    /// Dataset on the hub, as `organisation/name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hub: Option<String>,
    /// Pinned revision: for the hub a commit of 40 hex digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Local folder or file, relative to the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Name of the task pack that gives the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// Name of a dataset that no hub has, as `organisation/name`; those of the Indonesian pack are called
    /// `indonesiamteb/{task}_{domain}_{source}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Config of a task without subsets; absent: the default config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// How subsets are laid out.
    #[serde(skip_serializing_if = "Layout::is_default")]
    pub layout: Layout,
    /// Split that training rows come from; absent: `train`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_split: Option<String>,
    /// Splits made of several: the name in `eval_splits` or `train_split` = the dataset's splits, as
    /// `test = ["train", "validation", "test"]`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub merge_splits: BTreeMap<String, Vec<String>>,
    /// Only so many rows from the beginning of each of the dataset's splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub first_rows: Option<usize>,
    /// True if the cells of a row are lists whose elements are to be rows of their own; a cell that is no list goes to
    /// each of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfold: bool,
    /// Columns made of several: the protocol's name = the dataset's columns, whose texts are joined by a space.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub join: BTreeMap<String, Vec<String>>,
    /// Column names: the protocol's name = the dataset's name, as `text = "kalimat"`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// Where a part of a retrieval dataset is, if not at its usual place.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, PartSource>,
    /// Keep only rows whose cell in the named column is one of these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keep: BTreeMap<String, Vec<serde_json::Value>>,
    /// Drop rows whose cell in the named column is one of these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub drop: BTreeMap<String, Vec<serde_json::Value>>,
    /// Labels given as one weight a class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft_labels: Option<SoftLabels>,
    /// Replace labels: the dataset's value = the task's value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub label_map: BTreeMap<String, serde_json::Value>,
    /// True if each label is to be replaced by its place among all labels, sorted as texts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub encode_labels: bool,
    /// Score a subsample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsample: Option<Subsample>,
}

/// How the subsets of a dataset are laid out (protocol 2.1, 2.2, 2.4, 2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// One config a subset; for retrieval `{subset}-corpus` and so on.
    #[default]
    ConfigPerSubset,
    /// One config for all, rows grouped by the column `lang`.
    LangColumn,
    /// One config for all, one column a language; a subset names two columns.
    ParallelColumns,
    /// Retrieval configs with the subset behind the part: `corpus-{subset}`.
    PartSuffix,
    /// The layout of `mteb/belebele`: a subset `X-Y` takes passages of X and questions of Y.
    Belebele,
}

/// Where one part of a retrieval dataset is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PartSource {
    /// Config; absent: the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Split; absent: the evaluation split, else the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// File relative to the dataset's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Column names: the protocol's name = the part's name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
}

impl Layout {
    /// True for the layout that needs no mention.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
