//! numpy's `SeedSequence` (O'Neill's seed_seq, with numpy's constants): spreads a seed over a pool of words.

const POOL: usize = 4;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_L: u32 = 0xca01_f9dd;
const MIX_R: u32 = 0x4973_f715;

/// `SeedSequence(seed).generate_state(count, uint64)`.
pub fn generate_state(seed: u64, count: usize) -> Vec<u64> {
    let pool = mixed_pool(&entropy(seed));
    let mut hash = INIT_B;
    let words: Vec<u32> = (0..2 * count)
        .map(|i| {
            let mut word = pool[i % POOL] ^ hash;
            hash = hash.wrapping_mul(MULT_B);
            word = word.wrapping_mul(hash);
            word ^ (word >> 16)
        })
        .collect();
    words.chunks_exact(2).map(|pair| u64::from(pair[0]) | (u64::from(pair[1]) << 32)).collect()
}

/// The words of a seed, lowest first, without leading zeros.
fn entropy(seed: u64) -> Vec<u32> {
    let high = (seed >> 32) as u32;
    if high == 0 { vec![seed as u32] } else { vec![seed as u32, high] }
}

fn mixed_pool(entropy: &[u32]) -> [u32; POOL] {
    let mut hash = INIT_A;
    let mut hashed = |word: u32| {
        let mut word = word ^ hash;
        hash = hash.wrapping_mul(MULT_A);
        word = word.wrapping_mul(hash);
        word ^ (word >> 16)
    };
    let mut pool = [0; POOL];
    for (i, word) in pool.iter_mut().enumerate() {
        *word = hashed(entropy.get(i).copied().unwrap_or(0));
    }
    for from in 0..POOL {
        for to in 0..POOL {
            if from != to {
                let word = hashed(pool[from]);
                pool[to] = mix(pool[to], word);
            }
        }
    }
    pool
}

fn mix(x: u32, y: u32) -> u32 {
    let word = MIX_L.wrapping_mul(x).wrapping_sub(MIX_R.wrapping_mul(y));
    word ^ (word >> 16)
}
