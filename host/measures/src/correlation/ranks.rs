//! Ranks in which tied values share the mean of the places they fill.

/// The rank of every value, 1 for the smallest; tied values get the mean of their ranks.
///
/// `values` must hold no NaN. Source: scipy's `rankdata` with the method `average`.
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> =
        values.iter().enumerate().map(|(index, &value)| (value + 0.0, index)).collect();
    // Adding 0.0 turned -0.0 into 0.0, so that the total order and `==` agree on what ties.
    order.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|left, right| left.0 == right.0) {
        let end = start + tied.len();
        let rank = (start + end + 1) as f64 / 2.0;
        tied.iter().for_each(|&(_, index)| ranks[index] = rank);
        start = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_values_share_the_mean_of_their_ranks() {
        assert_eq!(average_ranks(&[0.0, 2.0, 3.0, 2.0]), [1.0, 2.5, 4.0, 2.5]);
        assert_eq!(average_ranks(&[5.0, 5.0, 5.0]), [2.0, 2.0, 2.0]);
        assert_eq!(average_ranks(&[]), [0.0; 0]);
    }

    #[test]
    fn negative_zero_ties_with_zero() {
        assert_eq!(average_ranks(&[0.0, -0.0, -1.0]), [2.5, 2.5, 1.0]);
    }
}
