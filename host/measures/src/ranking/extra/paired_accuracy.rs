//! Paired accuracy (NevIR): both queries of a pair must rank their own document first.

use std::collections::HashMap;

use super::measure::{ExtraMeasure, ExtraScores, JudgedRun, QueryColumns, before_first_underscore, group_by};
use crate::ranking::RankingError;

/// What it is called in cards and results.
const NAME: &str = "paired_accuracy";

/// `paired_accuracy`.
pub struct PairedAccuracy;

impl ExtraMeasure for PairedAccuracy {
    fn gives(&self, name: &str) -> bool {
        name == NAME
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let recall = run.at(&run.evaluation.recall, 1)?;
        Ok(ExtraScores::number(NAME, paired_accuracy(run.query_ids, recall)?))
    }

    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        let accuracy = paired_accuracy(queries.ids, queries.column("recall_at_1")?)?;
        Ok(vec![(NAME.to_owned(), accuracy)])
    }
}

/// Share of the pairs whose queries `…_q1` and `…_q2` both have a recall at 1 of 1.
///
/// Source: Weller et al. 2023, "NevIR" (arXiv 2305.07614).
///
/// # Errors
/// If a query of a pair is absent.
pub fn paired_accuracy(query_ids: &[&str], recall_at_1: &[f64]) -> Result<f64, RankingError> {
    let recalls: HashMap<&str, f64> = query_ids.iter().copied().zip(recall_at_1.iter().copied()).collect();
    let found = |expected: String| match recalls.get(expected.as_str()) {
        Some(&recall) => Ok(recall == 1.0),
        None => Err(RankingError::MissingPartner { expected }),
    };
    let pairs = group_by(query_ids, before_first_underscore);
    let mut right = 0usize;
    for (pair, _) in &pairs {
        let (first, second) = (found(format!("{pair}_q1"))?, found(format!("{pair}_q2"))?);
        right += usize::from(first && second);
    }
    Ok(right as f64 / pairs.len() as f64)
}
