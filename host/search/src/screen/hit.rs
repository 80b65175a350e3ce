//! A score that reaches its threshold.

/// A score that reaches its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Counted from the first document of the stride.
    pub document: u32,
    /// Counted from the first query.
    pub query: u32,
    /// The inner product of the rounded rows.
    pub score: f32,
}
