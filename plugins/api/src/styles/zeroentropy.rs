//! ZeroEntropy: `/models/embed` and `/models/rerank` (docs.zeroentropy.dev/api-reference).

use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, input, object};
use super::row::Row;
use super::{Embedding, Found, Reranking, Rows, Style};
use crate::request::Limits;

/// The use of a text that is neither query nor document; the provider knows these two alone.
const OTHER: &str = "document";

pub struct ZeroEntropy;

#[derive(Deserialize)]
struct Reply {
    results: Vec<Embedded>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Embedded {
    embedding: Row,
}

impl Style for ZeroEntropy {
    fn limits(&self) -> Limits {
        Limits { texts: 128, tokens: 100_000 }
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let body = object([
            ("model", json!(card.model)),
            ("input", json!(texts)),
            ("input_type", json!(input_type.unwrap_or(OTHER))),
            ("dimensions", json!(card.dimensions)),
            ("encoding_format", json!(card.encoding_format)),
        ]);
        ("models/embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let Reply { results, usage } = parts::json(reply)?;
        let tokens = usage.get("total_tokens").and_then(Value::as_u64);
        Ok((results.into_iter().map(|row| (None, row.embedding.0)).collect(), tokens.map(input)))
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        let body = json!({"model": card.model, "query": query, "documents": documents});
        Some(("models/rerank".to_owned(), body))
    }
}
