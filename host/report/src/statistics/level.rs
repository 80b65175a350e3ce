//! How sure a test or an interval is.

/// The share of wrong calls that every test and interval allows.
pub const ALPHA: f64 = 0.05;
