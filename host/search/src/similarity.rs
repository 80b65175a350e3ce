//! The ways in which two embeddings are compared.

/// How two embeddings are compared; a larger value means more alike (protocol 5 and 10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
