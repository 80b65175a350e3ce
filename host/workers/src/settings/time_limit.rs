//! How long the host waits for a worker's answer.

use std::time::Duration;

/// Bytes of text that the base time is for: about 32,768 tokens, the size of a usual batch.
const BYTES: usize = 128 << 10;

/// A longer time would overflow where it is added to the clock's.
const CENTURY: u64 = 3_155_760_000;

/// The base time, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit(Option<Duration>);

impl TimeLimit {
    /// `seconds` for every begun 128 kB of text, up to a century; 0 means without limit.
    pub fn new(seconds: u64) -> Self {
        Self((seconds > 0).then(|| Duration::from_secs(seconds.min(CENTURY))))
    }

    /// The time for a request with `bytes` of text.
    pub fn of(self, bytes: usize) -> Option<Duration> {
        let pieces = u32::try_from(bytes.div_ceil(BYTES).max(1)).unwrap_or(u32::MAX);
        self.0.and_then(|base| base.checked_mul(pieces))
    }
}

impl Default for TimeLimit {
    /// A quarter of an hour: fifty times what a model of eight billion parameters needs on one GPU.
    fn default() -> Self {
        Self::new(900)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_grows_with_the_text_and_zero_means_no_limit() {
        let time_limit = TimeLimit::new(10);
        assert_eq!(time_limit.of(0), Some(Duration::from_secs(10)));
        assert_eq!(time_limit.of(BYTES), Some(Duration::from_secs(10)));
        assert_eq!(time_limit.of(10 * BYTES + 1), Some(Duration::from_secs(110)));
        assert_eq!(TimeLimit::new(0).of(5), None);
    }
}
