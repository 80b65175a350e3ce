//! Numbers for made data that are the same on every machine.

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Random(u64);

impl Random {
    /// What the state grows by from number to number.
    pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Numbers that `seed` decides.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % bound
    }
}
