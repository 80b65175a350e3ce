//! Precision: the share of the first ranks that is relevant.

/// Precision at each of `cuts` from the number of `hits` at each; the divisor is the cut even if less was found.
pub fn precision(hits: &[usize], cuts: &[usize]) -> Vec<f64> {
    hits.iter().zip(cuts).map(|(&hits, &cut)| hits as f64 / cut as f64).collect()
}
