//! How the subsets of a dataset are laid out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
