//! CPython's `random.Random` (protocol 4).

use std::collections::HashSet;

use super::mt19937::Mt19937;

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
