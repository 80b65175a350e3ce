//! Robustness (InstructIR): the worst instruction of a query counts.

use super::measure::{ExtraMeasure, ExtraScores, JudgedRun, QueryColumns, before_first_underscore, group_by};
use crate::numeric::sequential_mean;
use crate::ranking::RankingError;

/// What it is called in results.
const NAME: &str = "robustness_at_10";

/// `robustness_at_10`.
pub struct Robustness;

impl ExtraMeasure for Robustness {
    fn gives(&self, name: &str) -> bool {
        name == NAME
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let ndcg = run.at(&run.evaluation.ndcg, 10)?;
        Ok(ExtraScores::number(NAME, robustness(run.query_ids, ndcg)))
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        Ok(vec![(NAME.to_owned(), robustness(queries.ids, queries.column("ndcg_at_10")?))])
    }
}

/// Mean over queries of the lowest nDCG at 10 among their instructions, whose ids share the part before the first
/// underscore.
///
/// Source: Oh et al. 2024, "InstructIR" (arXiv 2402.14334).
pub fn robustness(query_ids: &[&str], ndcg_at_10: &[f64]) -> f64 {
    let lowest: Vec<f64> = group_by(query_ids, before_first_underscore)
        .into_iter()
        .map(|(_, members)| members.into_iter().map(|query| ndcg_at_10[query]).fold(f64::INFINITY, f64::min))
        .collect();
    sequential_mean(&lowest)
}
