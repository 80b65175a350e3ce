//! The ways in which two embeddings are compared; a larger value means more alike (protocol 5 and 10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How two embeddings are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// Cosine of the angle.
    #[default]
    Cosine,
    /// Inner product.
    Dot,
    /// Minus the Euclidean distance.
    Euclidean,
    /// Minus the Manhattan distance.
    Manhattan,
}
