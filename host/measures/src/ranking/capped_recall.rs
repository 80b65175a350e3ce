//! Recall against the best that the cut allows (LMEB's `R_cap`).

use super::hit_rate::hits_at;

/// Hits divided by min(relevant, cut) at each of `cuts` (ascending) for the documents in rank order, true if relevant;
/// `None` where nothing is relevant.
pub fn capped_recall(is_relevant: &[bool], relevant: usize, cuts: &[usize]) -> Vec<Option<f64>> {
    hits_at(is_relevant, cuts)
        .into_iter()
        .zip(cuts)
        .map(|(hits, &cut)| match relevant.min(cut) {
            0 => None,
            possible => Some(hits as f64 / possible as f64),
        })
        .collect()
}

/// The mean of the defined values, 0 if there is none.
pub fn mean_capped_recall(values: impl IntoIterator<Item = Option<f64>>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values.into_iter().flatten() {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}
