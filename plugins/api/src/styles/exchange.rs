//! Requests to a provider, and the content of its replies.

use mteb_card::ApiCard;
use mteb_remote::{Unfit, Usage};

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

/// Rows of a reply, each with the number of its text where the reply says it.
pub type Rows = Vec<(Option<usize>, Vec<f32>)>;

/// Scores of a reply, each with the number of its document.
pub type Scores = Vec<(usize, f32)>;

/// What was found in a reply, and what it has cost if the reply says so.
pub type Found<T> = Result<(T, Option<Usage>), Unfit>;
