//! The hash of a feature: FNV-1a over its bytes, then an avalanche, so that all bits of the bucket are good.

/// Hash of the concatenation of `parts`, seeded by the kind of feature.
pub fn hash<'a>(kind: u8, parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(kind);
    for part in parts {
        for &byte in part.as_bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        // A separator keeps the word pair (ab, c) apart from (a, bc).
        state = (state ^ 0x1f).wrapping_mul(0x0000_0100_0000_01b3);
    }
    avalanche(state)
}

/// The finalizer of MurmurHash3 (Appleby).
fn avalanche(mut state: u64) -> u64 {
    state ^= state >> 33;
    state = state.wrapping_mul(0xff51_afd7_ed55_8ccd);
    state ^= state >> 33;
    state = state.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    state ^ (state >> 33)
}
