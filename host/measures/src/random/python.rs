//! CPython's `random.Random`.

/// CPython's `random.Random` (MT19937 seeded by an array).
#[derive(Clone, Debug)]
pub struct PythonRandom {
    seed: u64,
}

impl PythonRandom {
    /// `random.Random(seed)`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}
