//! The area under the ROC curve.

/// Share of the pairs of a positive and a negative score in which the positive one is higher; equal ones count half. `None` if
/// all labels are the same.
pub fn auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let positives = labels.iter().filter(|&&label| label).count();
    let negatives = labels.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    let mut order: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    order.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (mut below, mut won) = (0.0, 0.0);
    for equal in order.chunk_by(|left, right| left.0 == right.0) {
        let positive = equal.iter().filter(|(_, label)| *label).count() as f64;
        let negative = equal.len() as f64 - positive;
        won += positive * (below + negative / 2.0);
        below += negative;
    }
    Some(won / (positives as f64 * negatives as f64))
}

#[cfg(test)]
mod tests {
    use super::auc;

    /// scikit-learn 1.9: `roc_auc_score([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.4])`.
    #[test]
    fn equal_scores_count_half() {
        let labels = [false, false, true, true, true];
        assert_eq!(auc(&[0.1, 0.4, 0.35, 0.8, 0.4], &labels), Some(0.75));
        assert_eq!(auc(&[0.5; 5], &labels), Some(0.5));
        assert_eq!(auc(&[0.1, 0.2], &[true, true]), None);
    }
}
