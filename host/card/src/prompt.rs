//! The instruction of a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An instruction: one for all texts, or one a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Prompt {
    /// One instruction for every text.
    All(String),
    /// An instruction a role; a role left out has an empty one.
    ByRole {
        /// For queries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        /// For documents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document: Option<String>,
    },
}
