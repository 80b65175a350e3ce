//! How much of the evaluation texts the training texts give away.

use std::borrow::Cow;
use std::collections::HashSet;

use mteb_data::Texts;
use mteb_tasks::{composed, normalised};
use serde::Serialize;

use crate::near::has_similar;

/// Share of common 4-grams (Jaccard similarity) from which on two texts are nearly the same.
const NEAR: f64 = 0.8;

/// Training texts that are compared for nearness; of more of them an even sample.
const LIMIT: usize = 200_000;

/// Evaluation texts that are in the training split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlapStats {
    /// Evaluation texts.
    pub texts: usize,
    /// Of them: those that are training texts too, character by character, in whichever form letters with marks are written (NFC, NFD).
    pub exact: usize,
    /// Of the others: those whose set of character 4-grams is to 80 % that of a training text.
    pub near: usize,
    /// Training texts that were compared for nearness.
    pub compared: usize,
    /// The first text that is nearly a training text.
    #[serde(skip)]
    pub first_near: Option<String>,
}

/// Compares evaluation texts with training texts.
pub fn overlap(texts: &Texts, train: &Texts) -> OverlapStats {
    let known: HashSet<Cow<'_, str>> = train.iter().map(composed).collect();
    let others: Vec<usize> =
        (0..texts.len()).filter(|&row| !known.contains(&composed(&texts[row]))).collect();
    let step = train.len().div_ceil(LIMIT).max(1);
    let sample = train.select(&(0..train.len()).step_by(step).collect::<Vec<_>>());
    let compared = others.iter().map(|&row| normalised(&texts[row])).collect();
    let near = has_similar(compared, sample.iter().map(normalised).collect(), NEAR);
    let first = near.iter().position(|&near| near).map(|place| texts[others[place]].to_owned());
    OverlapStats {
        first_near: first,
        texts: texts.len(),
        exact: texts.len() - near.len(),
        near: near.into_iter().filter(|&near| near).count(),
        compared: sample.len(),
    }
}
