//! Values that correlate with nothing.

/// True if `values` has no correlation with anything: fewer than two values, a NaN, or all values equal.
pub(super) fn is_degenerate(values: &[f64]) -> bool {
    values.len() < 2
        || values.iter().any(|value| value.is_nan())
        || values.iter().all(|value| *value == values[0])
}
