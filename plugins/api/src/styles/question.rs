//! What a provider is asked.

use mteb_card::ApiCard;

/// A question for embeddings.
#[derive(Clone, Copy, Debug)]
pub struct Embedding<'a> {
    /// How the model is asked.
    pub card: &'a ApiCard,
    /// Texts.
    pub texts: &'a [String],
    /// What the endpoint calls their use.
    pub input_type: Option<&'a str>,
}

/// A question for the relevance of documents to one query.
#[derive(Clone, Copy, Debug)]
pub struct Reranking<'a> {
    /// How the model is asked.
    pub card: &'a ApiCard,
    /// The query.
    pub query: &'a str,
    /// Documents.
    pub documents: &'a [String],
}
