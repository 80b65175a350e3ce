//! V-measure (Rosenberg and Hirschberg 2007), adjusted mutual information (Vinh, Epps and Bailey
//! 2010), which takes off what two labelings share by chance, and normalised mutual information
//! (Strehl and Ghosh 2002).

use super::Contingency;
use crate::numeric::sum;

impl Contingency {
    /// Harmonic mean of homogeneity and completeness, as scikit-learn's `v_measure_score` (protocol 6.5).
    ///
    /// 1 if there is one class and one cluster, or no row; 0 if exactly one side is single.
    pub fn v_measure(&self) -> f64 {
        let information = self.mutual_information();
        let share = |entropy: f64| if entropy == 0.0 { 1.0 } else { information / entropy };
        let (homogeneity, completeness) = (share(self.class_entropy()), share(self.cluster_entropy()));
        if homogeneity + completeness == 0.0 {
            return 0.0;
        }
        2.0 * homogeneity * completeness / (homogeneity + completeness)
    }

    /// Mutual information above chance, as scikit-learn's `adjusted_mutual_info_score` with the arithmetic mean of
    /// the entropies (protocol 6.5).
    ///
    /// 1 if there is one class and one cluster, or no row; 0 if exactly one side is single.
    pub fn adjusted_mutual_information(&self) -> f64 {
        let (classes, clusters) = (self.class_sizes().len(), self.cluster_sizes().len());
        if classes <= 1 || clusters <= 1 {
            return if classes == clusters { 1.0 } else { 0.0 };
        }
        let expected = expected_mutual_information(self);
        let mean_entropy = (self.class_entropy() + self.cluster_entropy()) / 2.0;
        away_from_zero(self.mutual_information() - expected) / away_from_zero(mean_entropy - expected)
    }

    /// Mutual information of class and cluster in nats.
    pub fn mutual_information(&self) -> f64 {
        if self.class_sizes().len() <= 1 || self.cluster_sizes().len() <= 1 {
            return 0.0;
        }
        let total = self.total() as f64;
        let terms: Vec<f64> = self
            .meetings()
            .map(|(count, class, cluster)| {
                let (count, outer) = (count as f64, (class * cluster) as f64);
                let share = count / total;
                let term = share * (count.ln() - total.ln()) + share * (2.0 * total.ln() - outer.ln());
                if term.abs() < f64::EPSILON { 0.0 } else { term }
            })
            .collect();
        sum(&terms).max(0.0)
    }

    pub(super) fn class_entropy(&self) -> f64 {
        entropy(self.class_sizes(), self.total())
    }

    pub(super) fn cluster_entropy(&self) -> f64 {
        entropy(self.cluster_sizes(), self.total())
    }
}

/// Entropy of a partition in nats.
fn entropy(sizes: &[u64], total: u64) -> f64 {
    if sizes.len() <= 1 {
        return 0.0;
    }
    let total = total as f64;
    let terms: Vec<f64> =
        sizes.iter().map(|&size| size as f64 / total * ((size as f64).ln() - total.ln())).collect();
    -sum(&terms)
}

/// `value`, or the smallest step from 0 on its side: the quotient of a perfect match is then 1 and not 0/0.
fn away_from_zero(value: f64) -> f64 {
    if value < 0.0 { value.min(-f64::EPSILON) } else { value.max(f64::EPSILON) }
}

impl Contingency {
    /// Mutual information over the root of the product of both entropies, as scikit-learn's
    /// `normalized_mutual_info_score` with `average_method="geometric"`.
    ///
    /// 1 if there is one class and one cluster, or no row; 0 if exactly one side is single.
    pub fn normalized_mutual_information(&self) -> f64 {
        let (classes, clusters) = (self.class_sizes().len(), self.cluster_sizes().len());
        if classes == clusters && classes <= 1 {
            return 1.0;
        }
        let information = self.mutual_information();
        if information <= f64::EPSILON {
            return 0.0;
        }
        information / (self.class_entropy() * self.cluster_entropy()).sqrt()
    }
}

/// Terms that are this much smaller than the largest one change no digit of the sum.
const NEGLIGIBLE: f64 = 1e-20;

/// Expected mutual information of two random partitions with the sizes of `table`, in nats: the count of a class and
/// a cluster of sizes a and b follows the hypergeometric distribution (Vinh, Epps and Bailey 2010).
///
/// scikit-learn takes every probability from nine log-gamma values. Here the probabilities of a cell run from the
/// most likely count outwards by their ratios and are divided by their sum: no large numbers cancel, and the many
/// counts that are as good as impossible are never visited.
fn expected_mutual_information(table: &Contingency) -> f64 {
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
