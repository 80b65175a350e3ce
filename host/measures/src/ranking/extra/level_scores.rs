//! Scores by instruction level (IFIR).

use super::measure::{ExtraMeasure, ExtraScores, ExtraValue, JudgedRun, QueryColumns};
use crate::numeric::sequential_mean;
use crate::ranking::RankingError;

/// `level_scores`: a map of three numbers, none of which can be a main score.
pub struct LevelScores;

impl ExtraMeasure for LevelScores {
    fn gives(&self, _: &str) -> bool {
        false
    }

    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError> {
        let levels = level_scores(run.query_ids, run.at(&run.evaluation.ndcg, 20)?)?;
        let levels = (1..).zip(levels).map(|(level, score)| (format!("level_{level}"), score));
        let scores = vec![("level_scores".to_owned(), ExtraValue::Numbers(levels.collect()))];
        Ok(ExtraScores { scores, queries: Vec::new() })
    }

    fn aggregate(&self, _: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError> {
        Ok(Vec::new())
    }
}

/// Mean nDCG at 20 of the queries of level 1, 2 and 3, whose ids contain `v1`, `v2` or `v3` (the first of these
/// counts).
///
/// Source: Song et al. 2025, "IFIR" (arXiv 2503.04644).
///
/// # Errors
/// If a level has no query.
pub fn level_scores(query_ids: &[&str], ndcg_at_20: &[f64]) -> Result<[f64; 3], RankingError> {
    const MARKS: [&str; 3] = ["v1", "v2", "v3"];
    let mut levels: [Vec<f64>; 3] = Default::default();
    for (id, &value) in query_ids.iter().zip(ndcg_at_20) {
        if let Some(level) = MARKS.iter().position(|mark| id.contains(mark)) {
            levels[level].push(value);
        }
    }
    match levels.iter().position(Vec::is_empty) {
        Some(level) => Err(RankingError::EmptyLevel { mark: MARKS[level] }),
        None => Ok(levels.map(|values| sequential_mean(&values))),
    }
}
