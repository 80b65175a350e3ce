//! The API formats of providers: what a request looks like, and where the answer stands in a reply.

mod parts;
mod providers;

use mteb_card::ApiStyle;

use parts::{checked_rows, checked_scores};

pub use parts::{Embedding, Found, Reranking, Rows, Scores, Style};

/// The form that `style` names.
pub fn style(style: ApiStyle) -> &'static dyn Style {
    match style {
        ApiStyle::OpenAi => &providers::OpenAi,
        ApiStyle::Cohere => &providers::Cohere,
        ApiStyle::Voyage => &providers::Voyage,
        ApiStyle::Jina => &providers::Jina,
        ApiStyle::Gemini => &providers::Gemini,
        ApiStyle::ZeroEntropy => &providers::ZeroEntropy,
        ApiStyle::Tei => &providers::Tei,
        ApiStyle::Ollama => &providers::Ollama,
    }
}

/// The rows of a reply for so many `texts`, in their order, each of `dimension` numbers if that is known; and what it has cost.
///
/// # Errors
/// If the reply does not have the form of `style`, or has other rows than these.
pub fn read_rows(
    style: &dyn Style,
    reply: &[u8],
    texts: usize,
    dimension: Option<usize>,
) -> Found<Vec<Vec<f32>>> {
    let (rows, usage) = style.rows(reply)?;
    Ok((checked_rows(rows, texts, dimension)?, usage))
}

/// The scores of a reply for so many `documents`, in their order; and what it has cost.
///
/// # Errors
/// If the reply does not have the form of `style`, or has other scores than these.
pub fn read_scores(style: &dyn Style, reply: &[u8], documents: usize) -> Found<Vec<f32>> {
    let (scores, usage) = style.scores(reply)?;
    Ok((checked_scores(scores, documents)?, usage))
}
