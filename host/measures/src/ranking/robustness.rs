//! Robustness (InstructIR): the worst instruction of a query counts.

use super::groups::{before_first_underscore, group_by};
use crate::numeric::sequential_mean;

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
