//! Reciprocal rank of the first relevant document, whose mean over queries is MRR.

/// Reciprocal rank at each of `cuts` for the documents in rank order, true if relevant; 0 if the first
/// relevant one lies beyond.
///
/// The reference ranks by the full double score here, by the score cut to `f32` everywhere else (protocol 7.4).
pub fn reciprocal_rank(is_relevant: &[bool], cuts: &[usize]) -> Vec<f64> {
    let first = is_relevant.iter().position(|&is_relevant| is_relevant);
    cuts.iter()
        .map(|&cut| match first {
            Some(index) if index < cut => 1.0 / (index + 1) as f64,
            _ => 0.0,
        })
        .collect()
}
