//! What the tasks tell of the order of models: groups that they do not separate from the best of
//! them, and the ranks that each may have.

use rayon::prelude::*;

use super::interval::ALPHA;
use super::paired::{holm, paired_test, t_test};

/// Which group each model belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TieGroups {
    /// Number of the group of each model, from 1.
    pub groups: Vec<usize>,
    /// The best model of each group.
    pub leaders: Vec<usize>,
    /// True if not even a model that wins every unit could be told from another: there are too few units.
    pub too_few: bool,
}

/// Groups of `scores[model][unit]`, no unit missing, whose means are given.
///
/// The best model leads the first group. Each model not yet in a group is tested against the leader (paired, exact for up to 14
/// units, else Student's), with Holm's correction over these tests; those that are not told from it join its group, and the best
/// of the others leads the next.
pub fn tie_groups(scores: &[Vec<f64>], means: &[f64]) -> TieGroups {
    let units = scores.first().map_or(0, Vec::len);
    let p_value = |leader: usize, other: usize| {
        let units = scores[leader].iter().zip(&scores[other]);
        paired_test(&units.map(|(leader, other)| leader - other).collect::<Vec<f64>>()).p_value
    };
    TieGroups { too_few: is_too_few(units, scores.len()), ..tie_groups_by(means, p_value) }
}

/// The same by a test of one's own: `p_value(leader, other)`.
pub fn tie_groups_by(means: &[f64], p_value: impl Fn(usize, usize) -> f64) -> TieGroups {
    let mut waiting: Vec<usize> = (0..means.len()).collect();
    waiting.sort_by(|left, right| means[*right].total_cmp(&means[*left]));
    let mut groups = TieGroups { groups: vec![0; means.len()], ..TieGroups::default() };
    while let Some(leader) = waiting.first().copied() {
        groups.leaders.push(leader);
        let number = groups.leaders.len();
        groups.groups[leader] = number;
        let others = &waiting[1..];
        let p_values: Vec<f64> = others.iter().map(|other| p_value(leader, *other)).collect();
        let mut left = Vec::new();
        for (other, p_value) in others.iter().zip(holm(&p_values)) {
            if p_value <= ALPHA {
                left.push(*other);
            } else {
                groups.groups[*other] = number;
            }
        }
        waiting = left;
    }
    groups
}

/// The exact test of `units` units gives no p-value below 2 / 2ⁿ; the first of Holm's steps multiplies it by the number of tests.
fn is_too_few(units: usize, models: usize) -> bool {
    let smallest = if units <= 14 { 2.0 / f64::from(1u32 << units) } else { 0.0 };
    models > 1 && smallest * (models - 1) as f64 > ALPHA
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn group(scores: &[Vec<f64>]) -> TieGroups {
        let means: Vec<f64> =
            scores.iter().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64).collect();
        tie_groups(scores, &means)
    }

    #[test]
    fn models_that_differ_on_every_task_stand_apart_and_noise_does_not() {
        let best: Vec<f64> = (0..20).map(|unit| 0.6 + f64::from(unit) / 100.0).collect();
        let noisy: Vec<f64> = best
            .iter()
            .enumerate()
            .map(|(unit, score)| score + if unit % 2 == 0 { 0.05 } else { -0.051 })
            .collect();
        let worse: Vec<f64> =
            best.iter().enumerate().map(|(unit, score)| score - 0.1 - (unit % 3) as f64 / 1000.0).collect();
        let groups = group(&[worse, best, noisy]);
        assert_eq!(groups.groups, [2, 1, 1]);
        assert_eq!(groups.leaders, [1, 0]);
        assert!(!groups.too_few);
    }

    #[test]
    fn five_tasks_separate_nothing_and_it_is_said() {
        let groups = group(&[vec![0.9; 5], vec![0.1; 5]]);
        assert_eq!((groups.groups, groups.too_few), (vec![1, 1], true));
        assert!(!group(&[vec![0.9; 6], vec![0.1; 6]]).too_few);
    }
}
