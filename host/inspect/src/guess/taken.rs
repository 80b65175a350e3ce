//! A column that is taken for one of the protocol's.

/// A column of the protocol and the column of the file that is taken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What the protocol calls it.
    pub column: &'static str,
    /// What the file calls it.
    pub from: String,
}
