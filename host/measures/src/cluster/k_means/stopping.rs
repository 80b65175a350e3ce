//! When the mini-batches have done their work.

/// Steps without improvement after which the fit ends.
const PATIENCE: usize = 10;

/// Watches the smoothed inertia of the batches (protocol 6.5, step 4).
pub(super) struct Stopping {
    /// Weight of a new batch in the smoothed inertia.
    weight: f64,
    first_step: bool,
    smoothed: Option<f64>,
    lowest: f64,
    without_improvement: usize,
}

impl Stopping {
    /// Watches batches of `batch_size` rows out of `rows`.
    pub fn new(batch_size: usize, rows: usize) -> Self {
        let weight = (batch_size as f64 * 2.0 / (rows + 1) as f64).min(1.0);
        Self { weight, first_step: true, smoothed: None, lowest: f64::INFINITY, without_improvement: 0 }
    }

    /// True if the fit ends after a step with this mean inertia; the first step, which has the inertia of the seeds,
    /// does not count.
    pub fn ends(&mut self, mean_inertia: f64) -> bool {
        if std::mem::take(&mut self.first_step) {
            return false;
        }
        let smoothed = match self.smoothed {
            None => mean_inertia,
            Some(before) => before * (1.0 - self.weight) + mean_inertia * self.weight,
        };
        self.smoothed = Some(smoothed);
        if smoothed < self.lowest {
            self.lowest = smoothed;
            self.without_improvement = 0;
        } else {
            self.without_improvement += 1;
        }
        self.without_improvement >= PATIENCE
    }
}
