//! The places where a threshold can part scored items into accepted and rejected ones.

/// A threshold's outcome: how many items it accepts, and how many of those are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Items whose score reaches the threshold.
    pub accepted: usize,
    /// Positive items among them.
    pub hits: usize,
}

/// Every cut between two different scores, from the strictest; the last accepts everything.
///
/// Tied scores are never parted, so the order of tied rows cannot leak into a measure.
pub(super) fn cuts(scores: &[f64], labels: &[bool]) -> Vec<Cut> {
    debug_assert_eq!(scores.len(), labels.len());
    // Adding 0.0 turns -0.0 into 0.0, so that the total order and `==` agree on what ties.
    let mut items: Vec<(f64, bool)> =
        scores.iter().zip(labels).map(|(&score, &label)| (score + 0.0, label)).collect();
    items.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut reached = Cut { accepted: 0, hits: 0 };
    items
        .chunk_by(|left, right| left.0 == right.0)
        .map(|tied| {
            reached.accepted += tied.len();
            reached.hits += tied.iter().filter(|(_, label)| *label).count();
            reached
        })
        .collect()
}
