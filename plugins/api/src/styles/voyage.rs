//! Voyage AI: `/embeddings` and `/rerank` (docs.voyageai.com/reference).

use mteb_card::EncodingFormat;
use serde_json::{Value, json};

use super::parts::{data, object};
use super::{Embedding, Found, Reranking, Rows, Style};
use crate::request::Limits;

pub struct Voyage;

impl Style for Voyage {
    fn limits(&self) -> Limits {
        Limits { texts: 128, tokens: 80_000 }
    }

    fn truncates(&self, _: bool) -> bool {
        true
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        // Numbers of JSON are what it sends unless it is asked for bytes; it has no name for them.
        let format = Some(card.encoding_format).filter(|format| *format == EncodingFormat::Base64);
        let body = object([
            ("model", json!(card.model)),
            ("input", json!(texts)),
            ("input_type", json!(input_type)),
            ("truncation", json!(true)),
            ("output_dimension", json!(card.dimensions)),
            ("encoding_format", json!(format)),
        ]);
        ("embeddings".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        data(reply)
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        let body = json!({"model": card.model, "query": query, "documents": documents, "truncation": true});
        Some(("rerank".to_owned(), body))
    }
}
