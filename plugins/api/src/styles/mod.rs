//! The API formats of providers: what a request looks like, and where the answer stands in a reply.

mod cohere;
mod gemini;
mod jina;
mod ollama;
mod openai;
mod parts;
mod row;
mod style;
mod tei;
mod voyage;
mod zeroentropy;

use mteb_card::ApiStyle;

use parts::{checked_rows, checked_scores};

pub use parts::{Embedding, Found, Reranking, Rows, Scores};
pub use style::Style;

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
