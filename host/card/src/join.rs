//! How a column is made of several.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
