//! The Mersenne Twister (Matsumoto and Nishimura 1998), and the two generators that are built on
//! it: CPython's `random.Random` and numpy's legacy `RandomState` (protocol 4).

use std::collections::HashSet;

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
            words[i] = words[i + M] ^ twist(words[i], words[i + 1]);
        }
        for i in N - M..N - 1 {
            words[i] = words[i + M - N] ^ twist(words[i], words[i + 1]);
        }
        words[N - 1] = words[M - 1] ^ twist(words[N - 1], words[0]);
        self.next = 0;
    }
}

/// What two neighbouring words contribute to a new one.
fn twist(word: u32, next: u32) -> u32 {
    let joined = (word & 0x8000_0000) | (next & 0x7fff_ffff);
    (joined >> 1) ^ (0u32.wrapping_sub(joined & 1) & 0x9908_b0df)
}

/// CPython's `random.Random(seed)`.
#[derive(Clone, Debug)]
pub struct PythonRandom {
    twister: Mt19937,
}

impl PythonRandom {
    /// `random.Random(seed)`.
    pub fn new(seed: u64) -> Self {
        let (low, high) = (seed as u32, (seed >> 32) as u32);
        let twister = if high == 0 { Mt19937::from_key(&[low]) } else { Mt19937::from_key(&[low, high]) };
        Self { twister }
    }

    /// `getrandbits(bits)`, `bits` from 1 to 32.
    pub fn getrandbits(&mut self, bits: u32) -> u32 {
        self.twister.next_u32() >> (32 - bits)
    }

    /// A whole number in `0..n`; `n` from 1 to 2³²−1.
    pub fn randbelow(&mut self, n: usize) -> usize {
        let bits = usize::BITS - n.leading_zeros();
        loop {
            let value = self.getrandbits(bits) as usize;
            if value < n {
                return value;
            }
        }
    }

    /// `random()`: a number in [0, 1).
    pub fn random(&mut self) -> f64 {
        self.twister.next_f64()
    }

    /// `sample(range(n), count)`; `count` at most `n`.
    pub fn sample(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut threshold = 21;
        if count > 5 {
            let power = ((3 * count) as f64).ln() / 4.0_f64.ln();
            threshold += 4_usize.pow(power.ceil() as u32);
        }
        if n <= threshold { self.sample_pool(n, count) } else { self.sample_set(n, count) }
    }

    /// `choices(range(n), k=count)`.
    pub fn choices(&mut self, n: usize, count: usize) -> Vec<usize> {
        (0..count).map(|_| (self.random() * n as f64).floor() as usize).collect()
    }

    fn sample_pool(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut pool: Vec<usize> = (0..n).collect();
        (0..count)
            .map(|i| {
                let j = self.randbelow(n - i);
                let taken = pool[j];
                pool[j] = pool[n - i - 1];
                taken
            })
            .collect()
    }

    fn sample_set(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut taken = HashSet::with_capacity(count);
        (0..count)
            .map(|_| {
                loop {
                    let value = self.randbelow(n);
                    if taken.insert(value) {
                        return value;
                    }
                }
            })
            .collect()
    }
}

/// numpy's `RandomState(seed)`.
#[derive(Clone, Debug)]
pub struct RandomState {
    twister: Mt19937,
}

impl RandomState {
    /// `numpy.random.RandomState(seed)`.
    pub fn new(seed: u32) -> Self {
        Self { twister: Mt19937::from_word(seed) }
    }

    /// A whole number in `0..=max`, without a draw if `max` is 0: words are masked and redrawn until one fits.
    pub fn draw_masked(&mut self, max: u32) -> u32 {
        if max == 0 {
            return 0;
        }
        let mask = u32::MAX >> max.leading_zeros();
        loop {
            let value = self.twister.next_u32() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// `shuffle(items)`.
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

    /// `randint(0, n, count)`; `n` must be at least 1.
    pub fn randint(&mut self, n: usize, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.draw_masked((n - 1) as u32) as usize).collect()
    }

    /// `random_sample()`: a number in [0, 1).
    pub fn random_sample(&mut self) -> f64 {
        self.twister.next_f64()
    }

    /// `choice(n, count, replace=False)`: the begin of a permutation.
    pub fn choice_without_replacement(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut items = self.permutation(n);
        items.truncate(count);
        items
    }

    /// `choice(len, count, replace=True, p=weights)`.
    pub fn choice_weighted(&mut self, weights: &[f64], count: usize) -> Vec<usize> {
        let cdf = cumulative(weights);
        (0..count).map(|_| self.choice_from_cdf(&cdf)).collect()
    }

    /// One draw of `choice(replace=True, p)` from the [`cumulative`] weights.
    pub fn choice_from_cdf(&mut self, cdf: &[f64]) -> usize {
        let draw = self.random_sample();
        cdf.partition_point(|&sum| sum <= draw)
    }
}

/// Cumulative sums of `weights`, left to right, divided by the last one.
pub fn cumulative(weights: &[f64]) -> Vec<f64> {
    let mut cdf = Vec::with_capacity(weights.len());
    let mut sum = 0.0;
    for weight in weights {
        sum += weight;
        cdf.push(sum);
    }
    for value in &mut cdf {
        *value /= sum;
    }
    cdf
}
