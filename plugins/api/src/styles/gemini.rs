//! Google's Gemini API: `models/NAME:batchEmbedContents` (ai.google.dev/api/embeddings).

use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, object};
use super::row::Row;
use super::{Embedding, Found, Rows, Style};
use crate::request::Limits;

pub struct Gemini;

#[derive(Deserialize)]
struct Reply {
    embeddings: Vec<Values>,
}

#[derive(Deserialize)]
struct Values {
    values: Row,
}

impl Style for Gemini {
    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-goog-api-key", "")
    }

    fn limits(&self) -> Limits {
        Limits { texts: 100, tokens: 20_000 }
    }

    fn embedding(&self, Embedding { card, texts, input_type }: Embedding) -> (String, Value) {
        let model = format!("models/{}", card.model);
        let request = |text: &String| {
            object([
                ("model", json!(model)),
                ("content", json!({"parts": [{"text": text}]})),
                ("taskType", json!(input_type)),
                ("outputDimensionality", json!(card.dimensions)),
            ])
        };
        let requests: Vec<Value> = texts.iter().map(request).collect();
        (format!("{model}:batchEmbedContents"), json!({"requests": requests}))
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let Reply { embeddings } = parts::json(reply)?;
        Ok((embeddings.into_iter().map(|row| (None, row.values.0)).collect(), None))
    }
}
