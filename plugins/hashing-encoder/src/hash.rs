//! The hash of a feature: FNV-1a over its letters, then an avalanche, so that every bit of the result is good.

/// The hash of the letters so far; a longer feature continues the hash of its beginning.
#[derive(Clone, Copy)]
pub struct Hash(u64);

impl Hash {
    /// The hash of no letter; features of different kinds never share a hash by construction.
    pub fn new(kind: u8) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ (u64::from(kind) << 32))
    }

    /// The hash with one more letter.
    pub fn letter(self, letter: char) -> Self {
        Self((self.0 ^ u64::from(u32::from(letter))).wrapping_mul(0x0000_0100_0000_01b3))
    }

    /// The mixed bits: the finalizer of MurmurHash3 (Appleby).
    pub fn finish(self) -> u64 {
        let mut state = self.0;
        state ^= state >> 33;
        state = state.wrapping_mul(0xff51_afd7_ed55_8ccd);
        state ^= state >> 33;
        state = state.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        state ^ (state >> 33)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(kind: u8, letters: &str) -> u64 {
        letters.chars().fold(Hash::new(kind), Hash::letter).finish()
    }

    #[test]
    fn the_hash_is_pinned() {
        assert_eq!([hash(1, ""), hash(1, "beras"), hash(2, "beras")], PINNED);
    }

    #[test]
    fn the_order_of_letters_matters() {
        assert_ne!(hash(1, "kala"), hash(1, "alak"));
    }

    const PINNED: [u64; 3] =
        [16_034_718_368_524_969_391, 12_556_414_636_838_603_868, 9_215_538_320_970_004_247];
}
