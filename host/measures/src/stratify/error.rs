//! Why rows cannot be subsampled.

/// Labels that a stratified subsample cannot keep the shares of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StratifyError {
    /// A label has a single row, which cannot be on both sides of the split.
    #[error("expected at least 2 rows of every label, found 1 of label number {label}; drop that row")]
    LonelyLabel {
        /// Code of the label.
        label: u32,
    },
    /// One side of the split has not enough rows to hold every label once.
    #[error(
        "expected a subsample of at least {labels} rows that leaves at least {labels}, one for each label; \
         found {kept} kept and {left} left"
    )]
    TooFewRows {
        /// Number of labels.
        labels: usize,
        /// Rows of the subsample.
        kept: usize,
        /// Rows outside of it.
        left: usize,
    },
}
