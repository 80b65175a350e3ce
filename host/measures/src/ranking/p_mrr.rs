//! p-MRR: how far a changed instruction moves the documents whose relevance it changed.
//!
//! Source: Weller et al. 2024, "FollowIR" (arXiv 2403.15246); protocol 7.5.

use super::extra::RankingError;
use super::{DocumentIds, Found, rank_of};
use crate::numeric;

/// One topic with its two runs.
#[derive(Clone, Copy, Debug)]
pub struct Topic<'a> {
    /// The topic's id.
    pub id: &'a str,
    /// What was found under the original instruction.
    pub original: &'a [Found],
    /// What was found under the changed instruction.
    pub changed: &'a [Found],
    /// Documents whose relevance the change removed.
    pub documents: &'a [u32],
}

/// p-MRR in [-1, 1]; above 0 if the documents that are no longer relevant fell, as wanted.
///
/// # Errors
/// If no topic has a changed document.
pub fn p_mrr<I: DocumentIds + ?Sized>(topics: &[Topic<'_>], ids: &I) -> Result<f64, RankingError> {
    let means: Vec<f64> = p_mrr_of_topics(topics, ids)?.into_iter().map(|(_, mean)| mean).collect();
    Ok(numeric::mean(&means))
}

/// What each topic with changed documents comes to, by its id, ascending.
///
/// # Errors
/// If no topic has a changed document.
pub fn p_mrr_of_topics<'a, I: DocumentIds + ?Sized>(
    topics: &[Topic<'a>],
    ids: &I,
) -> Result<Vec<(&'a str, f64)>, RankingError> {
    let mut topics: Vec<&Topic<'a>> = topics.iter().filter(|topic| !topic.documents.is_empty()).collect();
    if topics.is_empty() {
        return Err(RankingError::NoTopic);
    }
    topics.sort_by_key(|topic| topic.id);
    Ok(topics.into_iter().map(|topic| (topic.id, topic_mean(topic, ids))).collect())
}

fn topic_mean<I: DocumentIds + ?Sized>(topic: &Topic<'_>, ids: &I) -> f64 {
    let changes = topic.documents.iter().map(|&document| {
        rank_change(rank_of(ids, topic.original, document), rank_of(ids, topic.changed, document))
    });
    compensated_sum(changes) / topic.documents.len() as f64
}

/// Change of one document's reciprocal rank, relative to the better of the two ranks.
fn rank_change(original: usize, changed: usize) -> f64 {
    let (before, after) = (1.0 / original as f64, 1.0 / changed as f64);
    if original >= changed { before / after - 1.0 } else { 1.0 - after / before }
}

/// Kahan's sum, with which pandas takes the mean of a group.
fn compensated_sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut compensation) = (0.0, 0.0);
    for value in values {
        let term = value - compensation;
        let total: f64 = sum + term;
        compensation = (total - sum) - term;
        sum = total;
    }
    sum
}
