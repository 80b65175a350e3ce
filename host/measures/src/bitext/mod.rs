//! Scores of bitext mining: how often the nearest sentence is the translation.

mod scores;

pub use scores::{BitextScores, bitext_scores};

#[cfg(test)]
mod tests;
