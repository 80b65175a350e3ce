//! V-measure (Rosenberg and Hirschberg 2007), adjusted mutual information (Vinh, Epps and Bailey
//! 2010) and normalised mutual information (Strehl and Ghosh 2002).

use super::Contingency;
use super::chance::expected_mutual_information;
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
