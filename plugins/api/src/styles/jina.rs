//! Jina AI: `/embeddings` and `/rerank` (api.jina.ai).

use serde_json::{Value, json};

use super::parts::{data, object};
use super::{Embedding, Found, Reranking, Rows, Style};
use crate::request::Limits;

pub struct Jina;

impl Style for Jina {
    fn limits(&self) -> Limits {
        Limits { texts: 128, tokens: 100_000 }
    }

    fn truncates(&self, reranks: bool) -> bool {
        !reranks
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let body = object([
            ("model", json!(card.model)),
            ("input", json!(texts)),
            ("task", json!(input_type)),
            ("dimensions", json!(card.dimensions)),
            ("embedding_type", json!(card.encoding_format)),
            ("truncate", json!(true)),
        ]);
        ("embeddings".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        data(reply)
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        let body = json!({
            "model": card.model, "query": query, "documents": documents, "return_documents": false
        });
        Some(("rerank".to_owned(), body))
    }
}
