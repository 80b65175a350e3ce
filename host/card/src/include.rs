//! A registry that another one takes in: whole, or the tasks of it that are named.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A registry by its name or file, or one with the tasks that are taken of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Include {
    /// The whole registry.
    Whole(String),
    /// Some of its tasks.
    Tasks(IncludedTasks),
}

/// Tasks of another registry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncludedTasks {
    /// The registry, by its name or file.
    pub registry: String,
    /// Which of its tasks: `Name`, `Name:subset,subset`, `Name@split`.
    pub tasks: Vec<String>,
}

impl Include {
    /// The name or file of the registry.
    pub fn registry(&self) -> &str {
        match self {
            Self::Whole(registry) => registry,
            Self::Tasks(some) => &some.registry,
        }
    }

    /// The tasks that are taken of it; `None` for all.
    pub fn tasks(&self) -> Option<&[String]> {
        match self {
            Self::Whole(_) => None,
            Self::Tasks(some) => Some(&some.tasks),
        }
    }
}
