//! Ollama: `/api/embed` (github.com/ollama/ollama, docs/api.md).

use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, input, object};
use super::row::Row;
use super::{Embedding, Found, Rows, Style};
use crate::request::Limits;

pub struct Ollama;

#[derive(Deserialize)]
struct Reply {
    embeddings: Vec<Row>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
}

impl Style for Ollama {
    fn limits(&self) -> Limits {
        Limits { texts: 32, tokens: 32_768 }
    }

    fn truncates(&self, reranks: bool) -> bool {
        !reranks
    }

    fn embedding(&self, Embedding { card, texts, .. }: Embedding) -> (String, Value) {
        let body = object([
            ("model", json!(card.model)),
            ("input", json!(texts)),
            ("truncate", json!(true)),
            ("dimensions", json!(card.dimensions)),
        ]);
        ("api/embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let Reply { embeddings, prompt_eval_count } = parts::json(reply)?;
        Ok((embeddings.into_iter().map(|row| (None, row.0)).collect(), prompt_eval_count.map(input)))
    }
}
