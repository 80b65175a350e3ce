//! Which ranks a model may have: simultaneous intervals of the ranks of all models.

use rayon::prelude::*;

use super::interval::ALPHA;
use super::paired::{holm, t_test};

/// The ranks, from best to worst, that each model may have: with a chance of 95 % all of them hold at once.
///
/// `scores[model][unit]`, no unit missing. A model cannot be better than so many as are better than it by a paired test, and not
/// worse than so many as are worse, all pairs corrected together by Holm. Source: Klein, Wright and Wieczorek 2020, "A joint
/// confidence region for an overall ranking of populations"; Mohamad, van Zwet and Goeman 2019.
pub fn rank_intervals(scores: &[Vec<f64>]) -> Vec<(usize, usize)> {
    rank_intervals_by(scores.len(), |one, other| {
        let differences: Vec<f64> =
            scores[one].iter().zip(&scores[other]).map(|(one, other)| one - other).collect();
        (t_test(&differences).p_value, differences.iter().sum())
    })
}

/// The same by a test of one's own: the p-value of two models, and a number whose sign is that of the first less the second.
pub fn rank_intervals_by(
    models: usize,
    test: impl Fn(usize, usize) -> (f64, f64) + Sync,
) -> Vec<(usize, usize)> {
    let pairs: Vec<(usize, usize)> =
        (0..models).flat_map(|one| (one + 1..models).map(move |other| (one, other))).collect();
    let tests: Vec<(f64, f64)> = pairs.par_iter().map(|(one, other)| test(*one, *other)).collect();
    let corrected = holm(&tests.iter().map(|(p_value, _)| *p_value).collect::<Vec<_>>());
    let (mut better, mut worse) = (vec![0; models], vec![0; models]);
    for (((one, other), (_, sign)), p_value) in pairs.into_iter().zip(tests).zip(corrected) {
        if p_value <= ALPHA && sign != 0.0 {
            let (winner, loser) = if sign > 0.0 { (one, other) } else { (other, one) };
            better[loser] += 1;
            worse[winner] += 1;
        }
    }
    better.into_iter().zip(worse).map(|(better, worse)| (1 + better, models - worse)).collect()
}
