//! What an encoder has done.

use std::iter::Sum;
use std::ops::{Add, Sub};
use std::time::Duration;

/// Numbers of texts, or of pairs for a cross-encoder, and the time they took. What was asked for and neither encoded nor
/// in the cache was a repetition within a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Texts asked for.
    pub texts: u64,
    /// Texts that the model encoded.
    pub encoded: u64,
    /// Texts whose embeddings were in the cache.
    pub from_cache: u64,
    /// Time from question to answer.
    pub busy: Duration,
    /// Tokens of the texts that the model encoded, as it counts them.
    pub tokens: u64,
    /// Processor time of the worker meanwhile.
    pub processor: Duration,
}

impl Sub for Counters {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            texts: self.texts - other.texts,
            encoded: self.encoded - other.encoded,
            from_cache: self.from_cache - other.from_cache,
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
