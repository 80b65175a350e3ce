//! The forms of providers: what a question looks like, and where its answer stands in a reply.

mod cohere;
mod gemini;
mod jina;
mod ollama;
mod openai;
mod parts;
mod row;
mod tei;
mod voyage;
mod zeroentropy;

use mteb_plugin_api::{ApiCard, ApiStyle};
use mteb_remote::{Unfit, Usage};
use serde_json::Value;

use crate::request::Limits;

pub use parts::{checked_rows, checked_scores};

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

/// The form of one provider.
pub trait Style: Send + Sync {
    /// Header of the key, and what stands before the key there.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
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

/// The form that `style` names.
pub fn style(style: ApiStyle) -> &'static dyn Style {
    match style {
        ApiStyle::OpenAi => &openai::OpenAi,
        ApiStyle::Cohere => &cohere::Cohere,
        ApiStyle::Voyage => &voyage::Voyage,
        ApiStyle::Jina => &jina::Jina,
        ApiStyle::Gemini => &gemini::Gemini,
        ApiStyle::ZeroEntropy => &zeroentropy::ZeroEntropy,
        ApiStyle::Tei => &tei::Tei,
        ApiStyle::Ollama => &ollama::Ollama,
    }
}
