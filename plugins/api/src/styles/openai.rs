//! OpenAI's `/embeddings` (platform.openai.com/docs/api-reference/embeddings), which many servers follow; `/rerank` as
//! servers such as infinity and vLLM have it.

use serde_json::{Value, json};

use super::parts::{data, object};
use super::{Embedding, Found, Reranking, Rows, Style};
use crate::request::Limits;

pub struct OpenAi;

impl Style for OpenAi {
    fn limits(&self) -> Limits {
        Limits { texts: 64, tokens: 100_000 }
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let body = object([
            ("model", json!(card.model)),
            ("input", json!(texts)),
            ("encoding_format", json!(card.encoding_format)),
            ("dimensions", json!(card.dimensions)),
            ("input_type", json!(input_type)),
        ]);
        ("embeddings".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        data(reply)
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        Some(("rerank".to_owned(), json!({"model": card.model, "query": query, "documents": documents})))
    }
}
