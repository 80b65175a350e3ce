//! Text Embeddings Inference: `/embed` and `/rerank` (huggingface.github.io/text-embeddings-inference).

use serde_json::{Value, json};

use super::parts::{self, Score, object};
use super::row::Row;
use super::{Embedding, Found, Reranking, Rows, Scores, Style};
use crate::request::Limits;

pub struct Tei;

impl Style for Tei {
    /// Its servers take 32 texts at once unless they are told otherwise.
    fn limits(&self) -> Limits {
        Limits { texts: 32, tokens: 16_384 }
    }

    fn truncates(&self, _: bool) -> bool {
        true
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let body = object([
            ("inputs", json!(texts)),
            ("truncate", json!(true)),
            ("prompt_name", json!(input_type)),
            ("dimensions", json!(card.dimensions)),
        ]);
        ("embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let rows: Vec<Row> = parts::json(reply)?;
        Ok((rows.into_iter().map(|row| (None, row.0)).collect(), None))
    }

    fn reranking(&self, Reranking { query, documents, .. }: Reranking) -> Option<(String, Value)> {
        Some(("rerank".to_owned(), json!({"query": query, "texts": documents, "truncate": true})))
    }

    fn scores(&self, reply: &[u8]) -> Found<Scores> {
        let scores: Vec<Score> = parts::json(reply)?;
        Ok((scores.into_iter().map(|Score { index, score }| (index, score)).collect(), None))
    }
}
