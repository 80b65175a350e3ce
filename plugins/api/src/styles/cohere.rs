//! Cohere's version 2: `/embed` and `/rerank` (docs.cohere.com/reference).

use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, input, object};
use super::row::Row;
use super::{Embedding, Found, Reranking, Rows, Style};
use crate::request::Limits;

/// The use of a text that is neither query nor document, which the provider wants to be named.
const OTHER: &str = "classification";

pub struct Cohere;

#[derive(Deserialize)]
struct Reply {
    embeddings: Embeddings,
    #[serde(default)]
    meta: Value,
}

#[derive(Deserialize)]
struct Embeddings {
    float: Vec<Row>,
}

impl Style for Cohere {
    fn limits(&self) -> Limits {
        Limits { texts: 96, tokens: 100_000 }
    }

    fn truncates(&self, reranks: bool) -> bool {
        !reranks
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let body = object([
            ("model", json!(card.model)),
            ("texts", json!(texts)),
            ("input_type", json!(input_type.unwrap_or(OTHER))),
            ("embedding_types", json!(["float"])),
            ("output_dimension", json!(card.dimensions)),
            ("truncate", json!("END")),
        ]);
        ("embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let Reply { embeddings, meta } = parts::json(reply)?;
        let tokens = meta.pointer("/billed_units/input_tokens").and_then(Value::as_u64);
        Ok((embeddings.float.into_iter().map(|row| (None, row.0)).collect(), tokens.map(input)))
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        Some(("rerank".to_owned(), json!({"model": card.model, "query": query, "documents": documents})))
    }
}
