//! The mutual information that two labelings have by chance.

use super::Contingency;

/// Terms that are this much smaller than the largest one change no digit of the sum.
const NEGLIGIBLE: f64 = 1e-20;

/// Expected mutual information of two random partitions with the sizes of `table`, in nats: the count of a class and
/// a cluster of sizes a and b follows the hypergeometric distribution (Vinh, Epps and Bailey 2010).
///
/// scikit-learn takes every probability from nine log-gamma values. Here the probabilities of a cell run from the
/// most likely count outwards by their ratios and are divided by their sum: no large numbers cancel, and the many
/// counts that are as good as impossible are never visited.
pub(super) fn expected_mutual_information(table: &Contingency) -> f64 {
    let largest = table.class_sizes().iter().chain(table.cluster_sizes()).copied().max().unwrap_or(0);
    let logarithms: Vec<f64> = (0..=largest).map(|count| (count as f64).ln()).collect();
    let total = table.total();
    let mut expected = 0.0;
    for &class in table.class_sizes() {
        for &cluster in table.cluster_sizes() {
            expected += Cell::new(class, cluster, total).expectation(&logarithms);
        }
    }
    expected
}

/// The distribution of the number of rows that a class and a cluster share.
struct Cell {
    class: u64,
    cluster: u64,
    total: u64,
}

impl Cell {
    fn new(class: u64, cluster: u64, total: u64) -> Self {
        Self { class, cluster, total }
    }

    /// Mean of count/N · ln(N · count / (a · b)).
    fn expectation(&self, logarithms: &[f64]) -> f64 {
        let lowest = (self.class + self.cluster).saturating_sub(self.total);
        let highest = self.class.min(self.cluster);
        let mode = ((self.class + 1) * (self.cluster + 1) / (self.total + 2)).clamp(lowest, highest);
        let offset =
            (self.total as f64).ln() - logarithms[self.class as usize] - logarithms[self.cluster as usize];
        let mut sums = Sums { offset, logarithms, mass: 0.0, information: 0.0 };
        sums.add(mode, 1.0);
        let mut probability = 1.0;
        for count in mode..highest {
            probability *= self.ratio(count);
            if probability < NEGLIGIBLE {
                break;
            }
            sums.add(count + 1, probability);
        }
        probability = 1.0;
        for count in (lowest..mode).rev() {
            probability /= self.ratio(count);
            if probability < NEGLIGIBLE {
                break;
            }
            sums.add(count, probability);
        }
        sums.information / sums.mass / self.total as f64
    }

    /// Probability of `count + 1` over that of `count`.
    fn ratio(&self, count: u64) -> f64 {
        let rest = self.total + count + 1 - self.class - self.cluster;
        let gain = (self.class - count) as f64 * (self.cluster - count) as f64;
        gain / ((count + 1) as f64 * rest as f64)
    }
}

/// Sums over the counts of one cell.
struct Sums<'a> {
    offset: f64,
    logarithms: &'a [f64],
    mass: f64,
    information: f64,
}

impl Sums<'_> {
    fn add(&mut self, count: u64, probability: f64) {
        self.mass += probability;
        if count > 0 {
            let information = self.offset + self.logarithms[count as usize];
            self.information += probability * count as f64 * information;
        }
    }
}
