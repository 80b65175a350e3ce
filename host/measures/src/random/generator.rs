//! numpy's `default_rng`: PCG64 and its samplers.

/// numpy's `Generator` over PCG64.
#[derive(Clone, Debug)]
pub struct Generator {
    seed: u64,
}

impl Generator {
    /// `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}
