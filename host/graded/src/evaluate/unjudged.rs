//! What is not judged.

use serde::{Deserialize, Serialize};

/// What a document counts that a judge has not judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unjudged {
    /// As one of score 0.
    #[default]
    Zero,
    /// Nothing: it is left out, and those below it move up.
    Skip,
}
