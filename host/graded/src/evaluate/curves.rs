//! The curve of one query: what a system found, measured by what a judge said; the curves of all
//! systems by all judges, and nDCG of each query at one rank, for statistics over queries.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Grades, Ranks};

/// Ranks of a curve.
pub const DEPTH: usize = 100;

/// Queries that are added up one after the other: fixed, so that sums do not depend on the number of threads.
const TOGETHER: usize = 64;

/// The means over queries at each rank k = 1, 2, …
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curves {
    /// nDCG with the scores as gains, over queries that have a positive score.
    pub ndcg: Vec<f64>,
    /// Recall, over queries that have a document at or above the threshold; without meaning where there is none, see [`Curves::recall_at`].
    pub recall: Vec<f64>,
    /// Of what was found, the share that is judged, over the queries of nDCG.
    pub judged: Vec<f64>,
    /// Queries of nDCG.
    pub queries: usize,
    /// Queries that were skipped because no score of theirs is positive.
    pub without_gain: usize,
    /// Queries that recall leaves out, as no document reaches the threshold.
    pub without_relevant: usize,
}

impl Curves {
    /// nDCG at a rank from 1; `None` where it is undefined, as no query has a positive score.
    pub fn ndcg_at(&self, k: usize) -> Option<f64> {
        self.ndcg.get(k.checked_sub(1)?).copied().filter(|_| self.queries > 0)
    }

    /// Recall at a rank from 1; `None` where it is undefined, as no query has a document at the threshold: who had nothing to find has
    /// missed nothing.
    pub fn recall_at(&self, k: usize) -> Option<f64> {
        let has_relevant = self.without_relevant < self.queries + self.without_gain;
        self.recall.get(k.checked_sub(1)?).copied().filter(|_| has_relevant)
    }
}

/// The curves of every system (outer) by every judge (inner), `thresholds` one a judge. All systems and judges have the same queries.
pub fn curves(
    systems: &[Ranks],
    judges: &[Grades],
    thresholds: &[f64],
    unjudged: Unjudged,
) -> Vec<Vec<Curves>> {
    let queries = judges.first().map_or(0, Grades::len);
    let discounts = discounts(DEPTH);
    let numbers: Vec<usize> = (0..queries).collect();
    let parts: Vec<Part> = numbers
        .par_chunks(TOGETHER)
        .map(|queries| {
            let mut part = Part::new(systems.len(), judges.len());
            for &query in queries {
                for (judge, (grades, &threshold)) in judges.iter().zip(thresholds).enumerate() {
                    let wanted = Wanted::new(grades.query(query), threshold, &discounts);
                    part.add(judge, &wanted, systems, query, &discounts, unjudged);
                }
            }
            part
        })
        .collect();
    let mut total = Part::new(systems.len(), judges.len());
    parts.iter().for_each(|part| total.join(part));
    total.means(queries)
}

/// Sums over some queries.
struct Part {
    /// At (system × judges + judge) × ranks.
    sums: Vec<At>,
    /// Queries with gain and with relevant documents, of each judge.
    counts: Vec<(usize, usize)>,
}

impl Part {
    fn new(systems: usize, judges: usize) -> Self {
        Self { sums: vec![At::default(); systems * judges * DEPTH], counts: vec![(0, 0); judges] }
    }

    fn add(
        &mut self,
        judge: usize,
        wanted: &Wanted<'_>,
        systems: &[Ranks],
        query: usize,
        discounts: &[f64],
        unjudged: Unjudged,
    ) {
        if !wanted.has_gain() {
            return;
        }
        self.counts[judge].0 += 1;
        self.counts[judge].1 += usize::from(wanted.has_relevant());
        let of_systems = self.sums.chunks_exact_mut(self.counts.len() * DEPTH);
        for (system, sums) in systems.iter().zip(of_systems) {
            let sums = &mut sums[judge * DEPTH..(judge + 1) * DEPTH];
            wanted.add(system.query(query), discounts, unjudged, sums);
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            sum.ndcg += other.ndcg;
            sum.recall += other.recall;
            sum.judged += other.judged;
        }
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            *count = (count.0 + other.0, count.1 + other.1);
        }
    }

    fn means(&self, queries: usize) -> Vec<Vec<Curves>> {
        let of_judge = |(sums, &(gain, relevant)): (&[At], &(usize, usize))| {
            let mean = |value: fn(&At) -> f64, count: usize| -> Vec<f64> {
                sums.iter().map(|at| if count == 0 { 0.0 } else { value(at) / count as f64 }).collect()
            };
            Curves {
                ndcg: mean(|at| at.ndcg, gain),
                recall: mean(|at| at.recall, relevant),
                judged: mean(|at| at.judged, gain),
                queries: gain,
                without_gain: queries - gain,
                without_relevant: queries - relevant,
            }
        };
        let systems = self.sums.chunks_exact((self.counts.len() * DEPTH).max(1));
        systems.map(|sums| sums.chunks_exact(DEPTH).zip(&self.counts).map(of_judge).collect()).collect()
    }
}

/// nDCG at `k` (1 or more) of each query, for each system; NaN for queries that have no positive score.
pub fn ndcg_of_queries(systems: &[Ranks], grades: &Grades, k: usize, unjudged: Unjudged) -> Vec<Vec<f64>> {
    let discounts = discounts(k);
    let of_query = |query: usize| -> Vec<f64> {
        let wanted = Wanted::new(grades.query(query), f64::INFINITY, &discounts);
        let of_system = |system: &Ranks| {
            if !wanted.has_gain() {
                return f64::NAN;
            }
            let mut sums = vec![At::default(); k];
            wanted.add(system.query(query), &discounts, unjudged, &mut sums);
            sums.last().map_or(f64::NAN, |at| at.ndcg)
        };
        systems.iter().map(of_system).collect()
    };
    let queries: Vec<Vec<f64>> = (0..grades.len()).into_par_iter().map(of_query).collect();
    (0..systems.len()).map(|system| queries.iter().map(|query| query[system]).collect()).collect()
}

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
fn discounts(depth: usize) -> Vec<f64> {
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
