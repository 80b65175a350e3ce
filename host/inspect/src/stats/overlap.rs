//! How much of the evaluation texts the training texts give away.

use std::collections::HashSet;

use mteb_data::Texts;
use serde::Serialize;

use super::near::has_near;

/// Training texts that are compared for nearness; of more of them an even sample.
const LIMIT: usize = 200_000;

/// Evaluation texts that are in the training split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlapStats {
    /// Evaluation texts.
    pub texts: usize,
    /// Of them: those that are training texts too, character by character.
    pub exact: usize,
    /// Of the others: those of which 80 % of the character 5-grams are those of a training text.
    pub near: usize,
    /// Training texts that were compared for nearness.
    pub compared: usize,
}

/// Compares evaluation texts with training texts.
pub fn overlap(texts: &Texts, train: &Texts) -> OverlapStats {
    let known: HashSet<&str> = train.iter().collect();
    let others: Vec<usize> = (0..texts.len()).filter(|&row| !known.contains(&texts[row])).collect();
    let step = train.len().div_ceil(LIMIT).max(1);
    let sample = train.select(&(0..train.len()).step_by(step).collect::<Vec<_>>());
    let near = has_near(&texts.select(&others), &sample);
    OverlapStats {
        texts: texts.len(),
        exact: texts.len() - others.len(),
        near: near.into_iter().filter(|&near| near).count(),
        compared: sample.len(),
    }
}
