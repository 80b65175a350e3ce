//! Where a task's data is, how its subsets are laid out, and how its columns are called.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::part_defaults::TRAIN_SPLIT;
use crate::{HoldOut, Join, Once, PartSource, SoftLabels, SplitLabels, Subsample};

/// Where the data is: on a hub, in local files, or in the plugin that provides the task. Exactly
/// one of `hub`, `path` and `plugin` is set.
///
/// Changes to the rows are made in this order: `merge_splits`, `first_rows`, the rows of the subset
/// (`layout`), `unfold`, `join`, `columns`, `drop_blank`, `keep`, `drop`, `once`, `soft_labels`, `label_map`, `split_labels`,
/// `drop_single_labels`, `encode_labels`, `hold_out`, `subsample`, `fold`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dataset {
    /// Dataset on the hub: `organisation/name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hub: Option<String>,
    /// Pinned revision: for the hub a commit of 40 hex digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Local folder or file, relative to the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Name of the task pack that provides the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// Name of a dataset that is on no hub: `organisation/name`; those of the Indonesian pack are
    /// named `indonesiamteb/{task}_{domain}_{source}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Separator of cells in CSV files, e.g. `";"`; absent: a comma, and a tab in TSV files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Decimal mark in CSV and TSV files, `"."` or `","`; absent: a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// Encoding of text files, e.g. `windows-1252`; absent: UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// True if quoted cells of CSV and TSV files are intended to span several lines, even if each
    /// of these lines looks like a row.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub multiline_cells: bool,
    /// Config of a task without subsets; absent: the default config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// How subsets are laid out.
    #[serde(skip_serializing_if = "Layout::is_default")]
    pub layout: Layout,
    /// Split that training rows come from; absent: `train`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_split: Option<String>,
    /// Splits merged from several: the name in `eval_splits` or `train_split` = the dataset's
    /// splits, e.g. `test = ["train", "validation", "test"]`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub merge_splits: BTreeMap<String, Vec<String>>,
    /// Use only the first N rows of each of the dataset's splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub first_rows: Option<usize>,
    /// True to turn each element of the lists in a row into a row of its own; a cell that is not a
    /// list is repeated in each.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfold: bool,
    /// Columns joined from several: the protocol's name = the dataset's columns, whose texts are
    /// joined.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub join: BTreeMap<String, Join>,
    /// Column names: the protocol's name = the dataset's name, e.g. `text = "kalimat"`;
    /// `translation.en` is the field `en` of the objects in a column, `tags.0` the first element of
    /// the lists in one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// Where a part of the dataset is, if not in its usual place, and what is changed in it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, PartSource>,
    /// Drop rows whose cell in one of these columns is null or consists only of white space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop_blank: Vec<String>,
    /// Keep only rows whose cell in the named column is one of these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keep: BTreeMap<String, Vec<serde_json::Value>>,
    /// Drop rows whose cell in the named column is one of these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub drop: BTreeMap<String, Vec<serde_json::Value>>,
    /// Which of several rows with the same value in the named column is kept; it takes the place of
    /// the first.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub once: BTreeMap<String, Once>,
    /// Labels given as one weight per class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft_labels: Option<SoftLabels>,
    /// Replace labels: the dataset's value = the task's value; `"*"` stands for all other values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub label_map: BTreeMap<String, serde_json::Value>,
    /// Split labels into those of several levels, coarse to fine, as clustering tasks score them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_labels: Option<SplitLabels>,
    /// True to drop rows whose label no other row has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drop_single_labels: bool,
    /// True to replace each label by its index among all labels, sorted as texts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub encode_labels: bool,
    /// Without a training split: train on some rows of the evaluation split; a subset's own setting
    /// takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<HoldOut>,
    /// Score a subsample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsample: Option<Subsample>,
    /// Combine all rows, in order, into N rows of lists, as in older clustering tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub fold: Option<usize>,
}

impl Dataset {
    /// The fields that say where the data is, and what they hold; a card sets one of them.
    pub fn all_places(&self) -> [(&'static str, Option<DataPlace<'_>>); 3] {
        [
            ("hub", self.hub.as_deref().map(DataPlace::Hub)),
            ("path", self.path.as_deref().map(DataPlace::Path)),
            ("plugin", self.plugin.as_deref().map(DataPlace::Plugin)),
        ]
    }

    /// The fields that are set of those that say where the data is.
    pub fn places(&self) -> impl Iterator<Item = (&'static str, DataPlace<'_>)> {
        self.all_places().into_iter().filter_map(|(field, place)| Some((field, place?)))
    }

    /// Where the data is; `None` of a card that names no place.
    pub fn place(&self) -> Option<DataPlace<'_>> {
        self.places().next().map(|(_, place)| place)
    }

    /// Name of the dataset where all can fetch it; `None` for data that lies beside its card or comes with its plugin.
    pub fn fetched(&self) -> Option<&str> {
        self.place().and_then(DataPlace::fetched)
    }

    /// The split that training rows come from.
    pub fn training_split(&self) -> &str {
        self.train_split.as_deref().unwrap_or(TRAIN_SPLIT)
    }

    /// True for data that is not fetched: the user's own, and that of a plugin.
    pub fn is_own(&self) -> bool {
        self.fetched().is_none()
    }
}

/// Where the data of a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataPlace<'a> {
    /// In a dataset of the hub, called `organisation/name`.
    Hub(&'a str),
    /// In a folder or file, by its path from the card.
    Path(&'a str),
    /// In the rows that a task pack gives.
    Plugin(&'a str),
}

/// What a revision must be, so that the data cannot change under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// In words.
    pub words: &'static str,
    /// Number of its hex digits.
    pub digits: RangeInclusive<usize>,
}

impl<'a> DataPlace<'a> {
    /// Name of the dataset where all can fetch it; `None` for data that is not fetched.
    pub fn fetched(self) -> Option<&'a str> {
        match self {
            Self::Hub(name) => Some(name),
            Self::Path(_) | Self::Plugin(_) => None,
        }
    }

    /// What the revision must be; `None` where data has none.
    pub fn pin(self) -> Option<Pin> {
        match self {
            // The reference names a few by their first digits; the hub knows the rest.
            Self::Hub(_) => Some(Pin { words: "a commit of 40 hex digits", digits: 7..=40 }),
            Self::Path(_) | Self::Plugin(_) => None,
        }
    }
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

impl Layout {
    /// True for the layout that needs no mention.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// True if each subset has a config of its own, so that a folder holds a folder for each.
    pub fn is_config_per_subset(self) -> bool {
        match self {
            Self::ConfigPerSubset | Self::PartSuffix => true,
            Self::LangColumn | Self::ParallelColumns | Self::Belebele => false,
        }
    }
}
