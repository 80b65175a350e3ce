//! The gain that grows exponentially with the grade (Burges et al. 2005): a grade more is worth about twice as much.

use rayon::prelude::*;

use super::measure::{ExtraMeasure, ExtraScores, JudgedRun, QueryColumns, is_at_a_cut};
use crate::ranking::evaluation::grades;
use crate::ranking::{Discounts, DocumentIds, Outcome, PerQuery, RankingError, ndcg};

/// What it is called in results, before the cut.
const NAME: &str = "ndcg_exp";

/// `ndcg_exp_at_10` and its like: nDCG with exponential gain.
pub struct ExponentialNdcg;

impl ExtraMeasure for ExponentialNdcg {
    fn gives(&self, name: &str) -> bool {
        is_at_a_cut(name, &[NAME])
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let cuts = &run.evaluation.cuts;
        Ok(ExtraScores::at_cuts(NAME, cuts, exponential_ndcg(run.outcomes, run.ids, cuts)))
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        Ok(queries.means_at_cuts(NAME))
    }
}

/// 2^grade − 1; 0 for a grade of 0 or less.
pub fn exponential_gain(grade: f64) -> f64 {
    if grade > 0.0 { grade.exp2() - 1.0 } else { 0.0 }
}

/// nDCG with exponential gain of every query at each of `cuts` (each 1 or more, in any order): `values[cut][query]`.
///
/// Ranks are those of [`evaluate`](crate::ranking::evaluate): by scores cut to `f32`.
pub fn exponential_ndcg<I: DocumentIds + ?Sized>(
    queries: &[Outcome<'_>],
    ids: &I,
    cuts: &[usize],
) -> PerQuery {
    let mut ascending = cuts.to_vec();
    ascending.sort_unstable();
    let depth = ascending.last().copied().unwrap_or(0);
    let discounts = Discounts::new(depth);
    let of_query = |query: &Outcome<'_>| {
        let cut: Vec<_> =
            query.found.iter().map(|&(document, score)| (document, f64::from(score as f32))).collect();
        let gains = |grades: Vec<f64>| grades.into_iter().map(exponential_gain).collect::<Vec<f64>>();
        let found = gains(grades(ids, &cut, query.judgements, depth));
        ndcg(&found, &gains(query.judgements.ideal()), &ascending, &discounts)
    };
    let measured: Vec<Vec<f64>> = queries.par_iter().map(of_query).collect();
    let place = |cut: &usize| ascending.partition_point(|other| other < cut);
    cuts.iter().map(place).map(|place| measured.iter().map(|query| query[place]).collect()).collect()
}
