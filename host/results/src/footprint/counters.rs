//! What an encoder has done.

use std::iter::Sum;
use std::ops::{Add, Sub};
use std::time::Duration;

/// Numbers of texts, or of pairs for a cross-encoder, and the time they took. What was asked for and neither encoded nor
/// in the cache was a repetition within a unit, or of a unit that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Texts asked for.
    pub texts: u64,
    /// Texts that the model encoded.
    pub encoded: u64,
    /// Texts whose embeddings were in the cache.
    pub from_cache: u64,
    /// Texts of units that failed which have no embedding.
    pub failed: u64,
    /// Time from question to answer.
    pub busy: Duration,
    /// Tokens of the texts that the model encoded, as it counts them.
    pub tokens: u64,
    /// Processor time of the worker meanwhile.
    pub processor: Duration,
}

impl Counters {
    /// The same, of a unit that failed: it may have asked for texts that got no embedding, or failed before it asked for all.
    #[must_use]
    pub fn of_failed(self) -> Self {
        let texts = self.texts.max(self.encoded + self.from_cache);
        Self { texts, failed: texts - self.encoded - self.from_cache, ..self }
    }

    /// Texts that repeat others of their unit.
    pub fn repeated(self) -> u64 {
        self.texts.saturating_sub(self.encoded + self.from_cache + self.failed)
    }
}

impl Sub for Counters {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            texts: self.texts - other.texts,
            encoded: self.encoded - other.encoded,
            from_cache: self.from_cache - other.from_cache,
            failed: self.failed - other.failed,
            busy: self.busy - other.busy,
            tokens: self.tokens - other.tokens,
            processor: self.processor - other.processor,
        }
    }
}

impl Add for Counters {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            texts: self.texts + other.texts,
            encoded: self.encoded + other.encoded,
            from_cache: self.from_cache + other.from_cache,
            failed: self.failed + other.failed,
            busy: self.busy + other.busy,
            tokens: self.tokens + other.tokens,
            processor: self.processor + other.processor,
        }
    }
}

impl Sum for Counters {
    fn sum<I: Iterator<Item = Self>>(counters: I) -> Self {
        counters.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_unit_that_failed_are_no_repetitions() {
        let of = |texts, encoded, from_cache| Counters { texts, encoded, from_cache, ..Counters::default() };
        let (scored, failed) = (of(10, 5, 3), of(20, 4, 1).of_failed());
        assert_eq!((scored.repeated(), failed.repeated(), failed.failed), (2, 0, 15));
        let both = scored + failed;
        assert_eq!((both.texts, both.repeated(), both.failed), (30, 2, 15));
        // It failed before it asked for what was encoded ahead.
        let before = of(0, 7, 0).of_failed();
        assert_eq!(((scored + before).texts, (scored + before).repeated()), (17, 2));
    }
}
