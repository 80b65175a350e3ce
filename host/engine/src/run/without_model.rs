//! A session without a model, for units whose rankings, or whose lists of documents, were made elsewhere.

use std::ops::Range;
use std::sync::Arc;

use mteb_data::Texts;
use mteb_items::rankings::Rankings;
use mteb_tasks::{EvaluateError, FoundInRanges, Matrix, Role, Session, Similarity};

/// The session; it encodes nothing.
pub struct WithoutModel {
    rankings: Option<Arc<Rankings>>,
    found: Option<Arc<FoundInRanges>>,
    /// What it has, for messages.
    has: &'static str,
    /// What the evaluator warned of.
    pub warnings: Vec<String>,
}

impl WithoutModel {
    /// Has the rankings of all queries.
    pub fn with_rankings(rankings: Arc<Rankings>) -> Self {
        Self { rankings: Some(rankings), found: None, has: "rankings", warnings: Vec::new() }
    }

    /// Has what shards have found in their ranges of a corpus.
    pub fn with_found(found: FoundInRanges) -> Self {
        Self {
            rankings: None,
            found: Some(Arc::new(found)),
            has: "what shards have found",
            warnings: Vec::new(),
        }
    }
}

impl Session for WithoutModel {
    fn encode_texts(&mut self, _: &Texts, _: Range<usize>, _: Option<Role>) -> Result<Matrix, EvaluateError> {
        Err(EvaluateError::Model(format!("expected only {}, found texts to encode", self.has)))
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn rankings(&self) -> Option<Arc<Rankings>> {
        self.rankings.clone()
    }

    fn found(&self) -> Option<Arc<FoundInRanges>> {
        self.found.clone()
    }

    fn similarity(&self) -> Similarity {
        Similarity::default()
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}
