//! Runs of letters as numbers, and maps by such numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use mteb_measures::random::mix;

/// A map by the numbers of runs. Their bits are mixed already, so none hashes them again.
pub type RunMap<V> = HashMap<u64, V, BuildHasherDefault<IsMixed>>;

/// The number of a run of letters; two of ten million runs share one with a chance of three in a million.
pub fn number_run(letters: &[char]) -> u64 {
    letters.iter().fold(0, |number, &letter| mix(number ^ u64::from(letter)))
}

/// Takes a mixed number for its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsMixed(u64);

impl Hasher for IsMixed {
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    /// Keys are single numbers, which come by `write_u64`: there are no bytes to take in.
    fn write(&mut self, _: &[u8]) {}

    fn finish(&self) -> u64 {
        self.0
    }
}
