//! Normalised mutual information with the geometric mean of the entropies (Strehl and Ghosh 2002).

use super::Contingency;

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
