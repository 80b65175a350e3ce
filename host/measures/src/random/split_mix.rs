//! SplitMix64: numbers for made data and hashes of a few bits, the same on every machine.
//!
//! Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators". No score hangs on it: the reference draws with
//! other generators.

/// What the state grows by from number to number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of numbers that its seed decides.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of one of many seeds in a row, far from that of its neighbours.
    pub fn spread(seed: u64) -> Self {
        Self(seed.wrapping_mul(STEP))
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        if end == 0 { 0 } else { (number % end as u64) as usize }
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// The first number of the sequence of `seed`: every bit of it hangs on every bit of the seed.
pub fn mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(STEP);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = SplitMix64::new(1_234_567);
        let drawn = [(); 3].map(|()| random.below(1 << 32));
        let published = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(drawn.map(|drawn| drawn as u64), published.map(|number| number % (1 << 32)));
        assert_eq!(mix(1_234_567), published[0]);
        assert_eq!(random.below(0), 0);
    }
}
