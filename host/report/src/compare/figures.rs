//! How figures of a comparison are written.

use serde_json::{Value, json};

use crate::statistics::Interval;

/// The ends of an interval.
pub(super) fn ends(interval: &Interval) -> Value {
    json!([interval.low, interval.high])
}

/// A p-value with four digits behind the point; one that is less than these can say is never called 0.
pub(super) fn p_value(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// An interval of differences in percent.
pub(super) fn range(interval: &Interval) -> String {
    format!("{:+.2} to {:+.2}", 100.0 * interval.low, 100.0 * interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_p_value_is_called_0() {
        assert_eq!([0.5, 0.0001, 1.5e-5, 0.0].map(p_value), ["0.5000", "0.0001", "< 0.0001", "< 0.0001"]);
    }
}
