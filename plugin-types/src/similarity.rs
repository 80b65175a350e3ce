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

impl Similarity {
    /// True if only the direction of an embedding counts, so that its length may be made 1.
    pub fn is_of_directions(self) -> bool {
        match self {
            Self::Cosine => true,
            Self::Dot | Self::Euclidean | Self::Manhattan => false,
        }
    }

    /// True if it is an inner product of the embeddings, once their lengths are as [`Self::is_of_directions`] has them.
    pub fn is_product(self) -> bool {
        match self {
            Self::Cosine | Self::Dot => true,
            Self::Euclidean | Self::Manhattan => false,
        }
    }

    /// True if it is computed from an inner product and the lengths of both embeddings.
    pub fn needs_norms(self) -> bool {
        match self {
            Self::Euclidean => true,
            Self::Cosine | Self::Dot | Self::Manhattan => false,
        }
    }
}
