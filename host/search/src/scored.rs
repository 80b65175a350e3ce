//! A document and its score.

/// A document and its score.
pub type Scored = (u32, f32);
