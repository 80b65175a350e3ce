//! The forms of providers: what a question looks like, and where its answer stands in a reply.

mod cohere;
mod gemini;
mod jina;
mod ollama;
mod openai;
mod parts;
mod question;
mod reply;
mod row;
mod style;
mod tei;
mod voyage;
mod zeroentropy;

use mteb_plugin_api::ApiStyle;

pub use parts::{checked_rows, checked_scores};
pub use question::{Embedding, Reranking};
pub use reply::{Found, Rows, Scores};
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
