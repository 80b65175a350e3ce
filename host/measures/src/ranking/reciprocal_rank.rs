//! Reciprocal rank of the first relevant document, whose mean over queries is MRR.

/// Reciprocal rank at each of `cuts` for the `grades` in rank order; 0 if the first relevant document lies beyond.
///
/// The reference ranks by the full double score here, by the score cut to `f32` everywhere else (protocol 7.4).
pub fn reciprocal_rank(grades: &[i32], cuts: &[usize]) -> Vec<f64> {
    let first = grades.iter().position(|&grade| grade > 0);
    cuts.iter()
        .map(|&cut| match first {
            Some(index) if index < cut => 1.0 / (index + 1) as f64,
            _ => 0.0,
        })
        .collect()
}
