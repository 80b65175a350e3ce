//! The labels that neighbours agree on.

/// Labels that more than half of `neighbours` have, ascending.
///
/// `labels` holds the labels of every training row as ascending codes.
pub fn vote(labels: &[Vec<u32>], neighbours: &[usize]) -> Vec<u32> {
    let mut votes: Vec<u32> = neighbours.iter().flat_map(|&row| &labels[row]).copied().collect();
    votes.sort_unstable();
    votes
        .chunk_by(|left, right| left == right)
        .filter(|same| 2 * same.len() > neighbours.len())
        .map(|same| same[0])
        .collect()
}
