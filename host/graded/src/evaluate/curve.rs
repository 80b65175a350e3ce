//! The curve of one query: what a system found, measured by what a judge said.

use serde::{Deserialize, Serialize};

/// What a judge said of the pool of a query, prepared for many systems.
pub(super) struct Wanted<'a> {
    grades: &'a [f64],
    threshold: f64,
    /// The gain of the best ranking there can be, at each rank; none if no score is positive.
    ideal: Vec<f64>,
    relevant: usize,
}

/// What is added up over queries, at each rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct At {
    pub ndcg: f64,
    pub recall: f64,
    pub judged: f64,
}

impl<'a> Wanted<'a> {
    /// `discounts` are the divisors of the ranks.
    pub fn new(grades: &'a [f64], threshold: f64, discounts: &[f64]) -> Self {
        let mut positive: Vec<f64> = grades.iter().copied().filter(|grade| *grade > 0.0).collect();
        let relevant = positive.iter().filter(|grade| **grade >= threshold).count();
        positive.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut gain = 0.0;
        let at = |(rank, discount): (usize, &f64)| {
            gain += positive.get(rank).map_or(0.0, |grade| grade / discount);
            gain
        };
        let ideal =
            if positive.is_empty() { Vec::new() } else { discounts.iter().enumerate().map(at).collect() };
        Self { grades, threshold, ideal, relevant }
    }

    /// True if some score is positive: else no ranking is better than another.
    pub fn has_gain(&self) -> bool {
        !self.ideal.is_empty()
    }

    /// True if some document reaches the threshold.
    pub fn has_relevant(&self) -> bool {
        self.relevant > 0
    }

    /// Adds the curve of `ranking` to `sums`. Queries without gain are not for this.
    pub fn add(&self, ranking: &[u32], discounts: &[f64], unjudged: Unjudged, sums: &mut [At]) {
        let (mut gain, mut hits, mut rank) = (0.0, 0_u32, 0);
        let share = if self.relevant > 0 { 1.0 / self.relevant as f64 } else { 0.0 };
        for &place in ranking {
            if rank == sums.len() {
                break;
            }
            let grade = self.grades.get(place as usize).copied().unwrap_or(f64::NAN);
            if grade.is_nan() && unjudged == Unjudged::Skip {
                continue;
            }
            // What is not judged is not above 0 either.
            if grade > 0.0 {
                gain += grade / discounts[rank];
                hits += u32::from(grade >= self.threshold);
            }
            sums[rank].ndcg += gain / self.ideal[rank];
            sums[rank].recall += f64::from(hits) * share;
            rank += 1;
        }
        for (at, ideal) in sums.iter_mut().zip(&self.ideal).skip(rank) {
            at.ndcg += gain / ideal;
            at.recall += f64::from(hits) * share;
        }
        self.add_judged(ranking, sums);
    }

    /// Of the documents that were found down to each rank, the share that is judged; 1 where nothing was found.
    fn add_judged(&self, ranking: &[u32], sums: &mut [At]) {
        let (mut judged, mut shown) = (0_u32, 0_u32);
        for (rank, at) in sums.iter_mut().enumerate() {
            if let Some(&place) = ranking.get(rank) {
                shown += 1;
                judged += u32::from(self.grades.get(place as usize).is_some_and(|grade| !grade.is_nan()));
            }
            at.judged += if shown == 0 { 1.0 } else { f64::from(judged) / f64::from(shown) };
        }
    }
}

/// The divisors of the ranks 1 to `depth`: log₂(rank + 1).
pub(super) fn discounts(depth: usize) -> Vec<f64> {
    (0..depth).map(|rank| ((rank + 2) as f64).log2()).collect()
}

/// What a document counts that a judge has not judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unjudged {
    /// As one of score 0.
    #[default]
    Zero,
    /// Nothing: it is skipped, and those below it move up.
    Skip,
}
