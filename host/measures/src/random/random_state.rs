//! numpy's legacy `RandomState` (protocol 4).

use super::mt19937::Mt19937;

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
    pub fn masked(&mut self, max: u32) -> u32 {
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
            let j = self.masked(i as u32) as usize;
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
        (0..count).map(|_| self.masked((n - 1) as u32) as usize).collect()
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
