//! Ranks of models by Borda count.

use crate::correlation::average_ranks;

/// The rank of every model, 1 for the best, by Borda count (protocol 8.3).
///
/// `scores[model][task]` are the task scores, higher is better; all models list the same tasks. On each task a
/// model gets as many points as there are models, less its rank there (ties share the mean rank); a missing or NaN
/// score gets none. Models with equal points share the better rank, and the next rank is left out (1, 2, 2, 4).
/// Source: mteb 2.26.24, `_borda_rank_from_long`.
pub fn borda_ranks(scores: &[Vec<Option<f64>>]) -> Vec<usize> {
    let tasks = scores.iter().map(Vec::len).max().unwrap_or(0);
    let mut points = vec![0.0; scores.len()];
    for task in 0..tasks {
        let (models, negated): (Vec<usize>, Vec<f64>) = scores
            .iter()
            .enumerate()
            .filter_map(|(model, scores)| {
                let score = scores.get(task).copied().flatten()?;
                (!score.is_nan()).then_some((model, -score))
            })
            .unzip();
        for (model, rank) in models.into_iter().zip(average_ranks(&negated)) {
            points[model] += scores.len() as f64 - rank;
        }
    }
    points.iter().map(|own| 1 + points.iter().filter(|other| *other > own).count()).collect()
}
