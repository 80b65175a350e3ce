//! The values that a score may take (protocol 6 and 7).

/// The values that a score may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest.
    pub low: f64,
    /// Highest.
    pub high: f64,
    /// True if there are data for which the measure is not defined (NaN or null).
    pub may_be_undefined: bool,
}

impl Bounds {
    /// Shares, which most measures are.
    pub const SHARE: Self = Self::between(0.0, 1.0);

    /// Numbers from `low` to `high`.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low, high, may_be_undefined: false }
    }

    /// The same, or none at all.
    #[must_use]
    pub const fn or_undefined(self) -> Self {
        Self { may_be_undefined: true, ..self }
    }

    /// Those of correlations; `None` of what is called otherwise.
    pub fn of_correlation(name: &str) -> Option<Self> {
        let is_one = name.ends_with("pearson") || name.ends_with("spearman");
        is_one.then_some(Self::between(-1.0, 1.0).or_undefined())
    }

    /// Those within which both lie.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_undefined: self.may_be_undefined || other.may_be_undefined,
        }
    }
}
