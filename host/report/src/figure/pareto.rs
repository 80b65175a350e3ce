//! The Pareto front: what nothing cheaper beats.

/// Numbers of the points `(cost, score)` that no other point beats in both, by rising cost.
pub fn pareto_front(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|left, right| {
        let (left, right) = (points[*left], points[*right]);
        left.0.total_cmp(&right.0).then_with(|| right.1.total_cmp(&left.1))
    });
    let mut best = f64::NEG_INFINITY;
    order.retain(|point| {
        let is_better = points[*point].1 > best;
        best = best.max(points[*point].1);
        is_better
    });
    order
}

#[cfg(test)]
mod tests {
    use super::pareto_front;

    #[test]
    fn a_point_is_on_the_front_if_nothing_cheaper_is_as_good() {
        let points = [(3.0, 0.9), (1.0, 0.5), (2.0, 0.4), (2.0, 0.7), (4.0, 0.9)];
        assert_eq!(pareto_front(&points), [1, 3, 0]);
    }
}
