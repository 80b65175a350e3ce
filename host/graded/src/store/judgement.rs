//! One line of a store.

use std::io;

use serde::{Deserialize, Serialize};

use crate::PairId;

/// The schema that is written and read.
pub(super) const SCHEMA: u32 = 1;

/// Whose judgements a store holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreHead {
    /// Schema of the file.
    pub judgements: u32,
    /// The judge.
    pub judge: String,
    /// The model that judges.
    pub model: String,
    /// The prompt and its version, as `en-1`.
    pub prompt: String,
}

impl StoreHead {
    /// The head of a new store.
    pub fn new(judge: &str, model: &str, prompt: &str) -> Self {
        let (judge, model, prompt) = (judge.to_owned(), model.to_owned(), prompt.to_owned());
        Self { judgements: SCHEMA, judge, model, prompt }
    }

    /// The first line of its store.
    pub(super) fn line(&self) -> io::Result<Vec<u8>> {
        line(self)
    }
}

/// What became of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Judgement {
    /// The pair.
    pub pair: PairId,
    /// The id of its query.
    pub query: String,
    /// The id of its document.
    pub document: String,
    /// What the judge said.
    pub verdict: Verdict,
    /// What it took, replies that were no judgements included.
    pub tokens: Tokens,
}

/// What a judge said of a pair.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A score from 0 to 10.
    Score {
        /// The score.
        score: f64,
        /// Why.
        reasoning: String,
    },
    /// No usable reply came; this is no score.
    Failed {
        /// The reason.
        reason: String,
    },
}

/// Tokens that a judgement took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Tokens of the question.
    pub input: u64,
    /// Those of them that the provider had in its cache.
    pub cached: u64,
    /// Tokens of the reply.
    pub output: u64,
}

impl Tokens {
    /// These and `others`.
    #[must_use]
    pub fn plus(self, others: Self) -> Self {
        Self {
            input: self.input.saturating_add(others.input),
            cached: self.cached.saturating_add(others.cached),
            output: self.output.saturating_add(others.output),
        }
    }
}

impl Judgement {
    /// Its line in a store.
    pub(super) fn line(&self) -> io::Result<Vec<u8>> {
        line(self)
    }

    /// The score, if the judge gave one.
    pub fn score(&self) -> Option<f64> {
        match self.verdict {
            Verdict::Score { score, .. } => Some(score),
            Verdict::Failed { .. } => None,
        }
    }
}

/// The form of a line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    pair: PairId,
    query: String,
    document: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(default)]
    tokens: Tokens,
}

impl From<Judgement> for Written {
    fn from(judgement: Judgement) -> Self {
        let Judgement { pair, query, document, verdict, tokens } = judgement;
        let (score, reasoning, failed) = match verdict {
            Verdict::Score { score, reasoning } => (Some(score), Some(reasoning), None),
            Verdict::Failed { reason } => (None, None, Some(reason)),
        };
        Self { pair, query, document, reasoning, score, failed, tokens }
    }
}

/// A line without one verdict.
#[derive(Debug, thiserror::Error)]
enum NoVerdict {
    /// The score is beyond the scale.
    #[error("expected a score from 0 to 10, found: {0}")]
    Beyond(f64),
    /// There is none, or there are two.
    #[error("expected either a score or a failure")]
    NotOne,
}

impl TryFrom<Written> for Judgement {
    type Error = NoVerdict;

    fn try_from(written: Written) -> Result<Self, NoVerdict> {
        let Written { pair, query, document, reasoning, score, failed, tokens } = written;
        let verdict = match (score, failed) {
            (Some(score), None) if (0.0..=10.0).contains(&score) => {
                Verdict::Score { score, reasoning: reasoning.unwrap_or_default() }
            }
            (Some(score), None) => return Err(NoVerdict::Beyond(score)),
            (None, Some(reason)) => Verdict::Failed { reason },
            _ => return Err(NoVerdict::NotOne),
        };
        Ok(Self { pair, query, document, verdict, tokens })
    }
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
