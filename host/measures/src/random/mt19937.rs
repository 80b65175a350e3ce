//! The Mersenne Twister (Matsumoto and Nishimura 1998), the core of numpy's legacy generator and of CPython's.

const N: usize = 624;
const M: usize = 397;

/// The state of a Mersenne Twister.
#[derive(Clone, Debug)]
pub struct Mt19937 {
    words: Box<[u32; N]>,
    next: usize,
}

impl Mt19937 {
    /// Seeded by one word, as numpy's `RandomState(seed)` is.
    pub fn from_word(seed: u32) -> Self {
        let mut words = Box::new([seed; N]);
        for i in 1..N {
            let before = words[i - 1];
            words[i] = (before ^ (before >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Self { words, next: N }
    }

    /// Seeded by a list of words, as CPython's `random.Random(seed)` is.
    pub fn from_key(key: &[u32]) -> Self {
        let mut words = Self::from_word(19_650_218).words;
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let before = words[i - 1];
            words[i] = (words[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == N {
                words[0] = words[N - 1];
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            let before = words[i - 1];
            words[i] =
                (words[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i == N {
                words[0] = words[N - 1];
                i = 1;
            }
        }
        words[0] = 0x8000_0000;
        Self { words, next: N }
    }

    /// The next word.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.next == N {
            self.twist();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// The next number in [0, 1) with 53 random bits.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        let high = f64::from(self.next_u32() >> 5);
        let low = f64::from(self.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    fn twist(&mut self) {
        let words = &mut self.words;
        for i in 0..N - M {
            words[i] = words[i + M] ^ twisted(words[i], words[i + 1]);
        }
        for i in N - M..N - 1 {
            words[i] = words[i + M - N] ^ twisted(words[i], words[i + 1]);
        }
        words[N - 1] = words[M - 1] ^ twisted(words[N - 1], words[0]);
        self.next = 0;
    }
}

/// What two neighbouring words contribute to a new one.
fn twisted(word: u32, next: u32) -> u32 {
    let joined = (word & 0x8000_0000) | (next & 0x7fff_ffff);
    (joined >> 1) ^ (0u32.wrapping_sub(joined & 1) & 0x9908_b0df)
}
