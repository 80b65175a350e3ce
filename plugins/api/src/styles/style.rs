//! The interface of a provider's API format.

use serde_json::Value;

use super::parts::{self, Embedding, Found, Reranking, Rows, Scores};
use crate::request::Limits;

/// The form of one provider.
pub trait Style: Send + Sync {
    /// Header of the key, and what stands before the key there.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    /// True if its questions ask the provider to cut texts that are too long; those for relevance if `reranks`.
    fn truncates(&self, reranks: bool) -> bool {
        let _ = reranks;
        false
    }

    /// Most texts and tokens in a request, where the card does not say.
    fn limits(&self) -> Limits;

    /// Path and body of a question for embeddings.
    fn embedding(&self, question: Embedding) -> (String, Value);

    /// The rows of a reply.
    ///
    /// # Errors
    /// If the reply does not have the form.
    fn rows(&self, reply: &[u8]) -> Found<Rows>;

    /// Path and body of a question for relevance; `None` if the provider has no such questions.
    fn reranking(&self, question: Reranking) -> Option<(String, Value)> {
        let _ = question;
        None
    }

    /// The scores of a reply.
    ///
    /// # Errors
    /// If the reply does not have the form.
    fn scores(&self, reply: &[u8]) -> Found<Scores> {
        parts::results(reply)
    }
}
