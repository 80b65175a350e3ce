//! Where one part of a dataset is, and what a task changes in it: columns that are made of several,
//! too.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Once;

/// Where one part of a dataset is. The names of config, split and file may contain `{subset}`, which stands for the
/// subset's config or name, and `{split}`, which stands for the evaluation split.
///
/// Changes to the part are made in this order: `without`, `unfold`, `number`, `join`, `columns`,
/// `keep`, `drop`, `grade`, `once`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PartSource {
    /// Config; absent: the default one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Split; absent: the evaluation split, else the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// File relative to the dataset's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Columns to ignore, e.g. `["title"]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// True to turn each element of the lists in the columns that `columns` names into a row, e.g.
    /// the documents of a query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfold: bool,
    /// Ids that the part lacks: the protocol's column = the part's columns whose texts identify a
    /// row. The id is the index of the first row with the same texts; without columns each row has
    /// its own id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub number: BTreeMap<String, Vec<String>>,
    /// Columns joined from several: the protocol's name = the part's columns, whose texts are
    /// joined.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub join: BTreeMap<String, Join>,
    /// Column names: the protocol's name = the part's name; `document.id` is the field `id` of the objects in a column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// Keep only rows whose cell in the named column is one of these values; of the parts `rows` and `train`, the value `{split}` stands for the
    /// evaluation split.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keep: BTreeMap<String, Vec<serde_json::Value>>,
    /// Drop rows whose cell in the named column is one of these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub drop: BTreeMap<String, Vec<serde_json::Value>>,
    /// Qrels: the `score` of every row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<i64>,
    /// Which of several rows with the same value in the named column is kept; it takes the place of
    /// the first.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub once: BTreeMap<String, Once>,
}

impl PartSource {
    /// True if what is changed in a row depends on other rows, so that all must be read at once.
    pub fn needs_all_rows(&self) -> bool {
        self.unfold || !self.number.is_empty() || !self.once.is_empty()
    }

    /// The part's columns that are read for others to be made of them.
    pub fn read_columns(&self) -> impl Iterator<Item = &String> {
        let joined = self.join.values().flat_map(Join::columns);
        let chosen = self.keep.keys().chain(self.drop.keys()).chain(self.once.keys());
        self.columns.values().chain(joined).chain(self.number.values().flatten()).chain(chosen)
    }
}

/// The columns whose texts make another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Join {
    /// The texts of these columns with one space between them.
    Plain(Vec<String>),
    /// The same in another form.
    Formed(JoinForm),
}

/// How the texts of columns are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinForm {
    /// The columns.
    pub columns: Vec<String>,
    /// Separator between two texts; absent: a space.
    #[serde(default = "space", skip_serializing_if = "is_space")]
    pub separator: String,
    /// True to omit empty texts and nulls, and their separators.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_empty: bool,
    /// True to strip white space at both ends of the joined text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strip: bool,
}

impl Join {
    /// The columns.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Plain(columns) | Self::Formed(JoinForm { columns, .. }) => columns,
        }
    }

    /// How they are joined.
    pub fn form(&self) -> JoinForm {
        match self {
            Self::Plain(columns) => {
                JoinForm { columns: columns.clone(), separator: space(), skip_empty: false, strip: false }
            }
            Self::Formed(form) => form.clone(),
        }
    }
}

fn space() -> String {
    " ".to_owned()
}

fn is_space(separator: &str) -> bool {
    separator == " "
}
