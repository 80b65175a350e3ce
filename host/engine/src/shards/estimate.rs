//! What a unit of a plan is estimated to take.

use mteb_shards::SizeSource;

/// What a unit is estimated to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitEstimate {
    /// Number of its texts, if it is known.
    pub texts: Option<u64>,
    /// Their characters, if they are known.
    pub characters: Option<u64>,
    /// Who counted.
    pub counted: SizeSource,
    /// Seconds.
    pub seconds: f64,
}
