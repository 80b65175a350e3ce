//! Recall: the share of the relevant documents that was found.

/// Recall at each of `cuts` from the number of `hits` at each; 0 where nothing is relevant.
pub fn recall(hits: &[usize], relevant: usize) -> Vec<f64> {
    hits.iter().map(|&hits| if relevant == 0 { 0.0 } else { hits as f64 / relevant as f64 }).collect()
}
