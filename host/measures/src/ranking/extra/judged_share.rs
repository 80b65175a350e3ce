//! The share of found documents that are judged: where it is small, other measures say little.

use rayon::prelude::*;

use super::measure::{ExtraMeasure, ExtraScores, JudgedRun, QueryColumns, is_at_a_cut};
use crate::ranking::{DocumentIds, Outcome, PerQuery, RankingError, best_first};

/// What it is called in results, before the cut.
const NAME: &str = "judged";

/// `judged_at_10` and its like.
pub struct JudgedShare;

impl ExtraMeasure for JudgedShare {
    fn gives(&self, name: &str) -> bool {
        is_at_a_cut(name, &[NAME])
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let cuts = &run.evaluation.cuts;
        Ok(ExtraScores::at_cuts(NAME, cuts, judged_share(run.outcomes, run.ids, cuts)))
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        Ok(queries.means_at_cuts(NAME))
    }
}

/// Of the documents found down to each of `cuts` (each 1 or more, in any order), the share that is judged: `values[cut][query]`; 1
/// where nothing was found.
///
/// Ranks are those of [`evaluate`](crate::ranking::evaluate): by scores cut to `f32`.
pub fn judged_share<I: DocumentIds + ?Sized>(queries: &[Outcome<'_>], ids: &I, cuts: &[usize]) -> PerQuery {
    let depth = cuts.iter().copied().max().unwrap_or(0);
    let of_query = |query: &Outcome<'_>| -> Vec<f64> {
        let cut: Vec<_> =
            query.found.iter().map(|&(document, score)| (document, f64::from(score as f32))).collect();
        let ranked = best_first(ids, &cut, depth).into_iter();
        let judged: Vec<bool> = ranked.map(|document| query.judgements.judged(document).is_some()).collect();
        let share = |cut: &usize| {
            let shown = &judged[..judged.len().min(*cut)];
            let known = shown.iter().filter(|is_judged| **is_judged).count();
            if shown.is_empty() { 1.0 } else { known as f64 / shown.len() as f64 }
        };
        cuts.iter().map(share).collect()
    };
    let measured: Vec<Vec<f64>> = queries.par_iter().map(of_query).collect();
    (0..cuts.len()).map(|cut| measured.iter().map(|query| query[cut]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::Judgements;

    #[test]
    fn a_grade_of_0_is_judged_and_a_document_without_one_is_not() {
        let judgements = Judgements::new(vec![(0, 0.0), (1, 7.5)]);
        let found = [(2, 0.9), (0, 0.8), (3, 0.7), (1, 0.6)];
        let queries = [
            Outcome { found: &found, judgements: &judgements },
            Outcome { found: &[], judgements: &judgements },
        ];
        let shares = judged_share(&queries, &["a", "b", "c", "d"][..], &[1, 2, 4, 100]);
        assert_eq!(shares, [[0.0, 1.0], [0.5, 1.0], [0.5, 1.0], [0.5, 1.0]].map(|row| row.to_vec()));
    }
}
