//! numpy's `default_rng`: PCG64 (O'Neill 2014, XSL-RR 128/64) and its samplers (protocol 4).

use std::collections::HashSet;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// numpy's `Generator` over PCG64.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u128,
    increment: u128,
    /// High half of a word whose low half was given.
    kept: Option<u32>,
}

impl Generator {
    /// `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let words = generate_state(seed, 4);
        let join = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        let increment = (join(words[2], words[3]) << 1) | 1;
        let mut generator = Self { state: 0, increment, kept: None };
        generator.step();
        generator.state = generator.state.wrapping_add(join(words[0], words[1]));
        generator.step();
        generator
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the low half of a word, then its high half.
    pub fn next_u32(&mut self) -> u32 {
        if let Some(high) = self.kept.take() {
            return high;
        }
        let word = self.next_u64();
        self.kept = Some((word >> 32) as u32);
        word as u32
    }

    /// `random()`: a number in [0, 1).
    pub fn random_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// `random(dtype=float32)`: a number in [0, 1).
    pub fn random_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// `shuffle(list)`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.draw_masked(i as u32) as usize;
            items.swap(i, j);
        }
    }

    /// `permutation(n)`.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        self.shuffle(&mut items);
        items
    }

    /// `choice(n, count, replace=False)`; `count` at most `n`.
    pub fn choice_without_replacement(&mut self, n: usize, count: usize) -> Vec<usize> {
        if n > 10_000 && count > n / 50 { self.tail_shuffle(n, count) } else { self.floyd(n, count) }
    }

    fn tail_shuffle(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        for i in (count_from(n, count)..n).rev() {
            let j = self.lemire(i as u32) as usize;
            items.swap(i, j);
        }
        items.split_off(n - count)
    }

    fn floyd(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut seen = HashSet::with_capacity(count);
        let mut chosen: Vec<usize> = (n - count..n)
            .map(|j| {
                let value = self.lemire(j as u32) as usize;
                if seen.insert(value) {
                    value
                } else {
                    seen.insert(j);
                    j
                }
            })
            .collect();
        for i in (1..count).rev() {
            let j = self.lemire(i as u32) as usize;
            chosen.swap(i, j);
        }
        chosen
    }

    /// A whole number in `0..=max` by masking and redrawing.
    fn draw_masked(&mut self, max: u32) -> u32 {
        let mask = u32::MAX >> max.leading_zeros();
        loop {
            let value = self.next_u32() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// A whole number in `0..=max` by Lemire's multiplication (2019); no draw if `max` is 0.
    fn lemire(&mut self, max: u32) -> u32 {
        if max == 0 {
            return 0;
        }
        if max == u32::MAX {
            return self.next_u32();
        }
        let range = u64::from(max) + 1;
        let mut product = u64::from(self.next_u32()) * range;
        if (product as u32) < range as u32 {
            let threshold = (u32::MAX - max) % range as u32;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * range;
            }
        }
        (product >> 32) as u32
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }
}

/// First index that the tail shuffle exchanges; index 0 has nothing to be exchanged with.
fn count_from(n: usize, count: usize) -> usize {
    (n - count).max(1)
}

// numpy's `SeedSequence` (O'Neill's seed_seq, with numpy's constants): spreads a seed over a pool
// of words.

const POOL: usize = 4;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_L: u32 = 0xca01_f9dd;
const MIX_R: u32 = 0x4973_f715;

/// `SeedSequence(seed).generate_state(count, uint64)`.
fn generate_state(seed: u64, count: usize) -> Vec<u64> {
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
