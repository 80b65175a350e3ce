//! How figures of a comparison are written.

use serde_json::{Value, json};

use crate::statistics::Interval;

/// The ends of an interval.
pub(super) fn ends(interval: &Interval) -> Value {
    json!([interval.low, interval.high])
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// An interval of differences in percent.
pub(super) fn range(interval: &Interval) -> String {
    format!("{:+.2} to {:+.2}", 100.0 * interval.low, 100.0 * interval.high)
}
