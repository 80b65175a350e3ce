//! The API formats of the providers, each with the page that describes it.

use mteb_card::EncodingFormat;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{self, Row, Score, data, input, object};
use super::{Embedding, Found, Reranking, Rows, Scores, Style};
use crate::request::Limits;

/// OpenAI's `/embeddings` (platform.openai.com/docs/api-reference/embeddings), which many servers follow; `/rerank` as
/// servers such as infinity and vLLM have it.
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

/// The use of a text that is neither query nor document, which the provider wants to be named.
const COHERE_OTHER: &str = "classification";

/// Cohere's version 2: `/embed` and `/rerank` (docs.cohere.com/reference).
pub struct Cohere;

#[derive(Deserialize)]
struct CohereReply {
    embeddings: CohereEmbeddings,
    #[serde(default)]
    meta: Value,
}

#[derive(Deserialize)]
struct CohereEmbeddings {
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
            ("input_type", json!(input_type.unwrap_or(COHERE_OTHER))),
            ("embedding_types", json!(["float"])),
            ("output_dimension", json!(card.dimensions)),
            ("truncate", json!("END")),
        ]);
        ("embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let CohereReply { embeddings, meta } = parts::json(reply)?;
        let tokens = meta.pointer("/billed_units/input_tokens").and_then(Value::as_u64);
        Ok((embeddings.float.into_iter().map(|row| (None, row.0)).collect(), tokens.map(input)))
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        Some(("rerank".to_owned(), json!({"model": card.model, "query": query, "documents": documents})))
    }
}

/// Voyage AI: `/embeddings` and `/rerank` (docs.voyageai.com/reference).
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

/// Jina AI: `/embeddings` and `/rerank` (api.jina.ai).
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

/// Google's Gemini API: `models/NAME:batchEmbedContents` (ai.google.dev/api/embeddings).
pub struct Gemini;

#[derive(Deserialize)]
struct GeminiReply {
    embeddings: Vec<GeminiValues>,
}

#[derive(Deserialize)]
struct GeminiValues {
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
        let GeminiReply { embeddings } = parts::json(reply)?;
        Ok((embeddings.into_iter().map(|row| (None, row.values.0)).collect(), None))
    }
}

/// The use of a text that is neither query nor document; the provider knows these two alone.
const ZEROENTROPY_OTHER: &str = "document";

/// ZeroEntropy: `/models/embed` and `/models/rerank` (docs.zeroentropy.dev/api-reference).
pub struct ZeroEntropy;

#[derive(Deserialize)]
struct ZeroEntropyReply {
    results: Vec<ZeroEntropyRow>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct ZeroEntropyRow {
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
            ("input_type", json!(input_type.unwrap_or(ZEROENTROPY_OTHER))),
            ("dimensions", json!(card.dimensions)),
            ("encoding_format", json!(card.encoding_format)),
        ]);
        ("models/embed".to_owned(), body)
    }

    fn rows(&self, reply: &[u8]) -> Found<Rows> {
        let ZeroEntropyReply { results, usage } = parts::json(reply)?;
        let tokens = usage.get("total_tokens").and_then(Value::as_u64);
        Ok((results.into_iter().map(|row| (None, row.embedding.0)).collect(), tokens.map(input)))
    }

    fn reranking(&self, Reranking { card, query, documents }: Reranking) -> Option<(String, Value)> {
        let body = json!({"model": card.model, "query": query, "documents": documents});
        Some(("models/rerank".to_owned(), body))
    }
}

/// Text Embeddings Inference: `/embed` and `/rerank` (huggingface.github.io/text-embeddings-inference).
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

/// Ollama: `/api/embed` (github.com/ollama/ollama, docs/api.md).
pub struct Ollama;

#[derive(Deserialize)]
struct OllamaReply {
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
        let OllamaReply { embeddings, prompt_eval_count } = parts::json(reply)?;
        Ok((embeddings.into_iter().map(|row| (None, row.0)).collect(), prompt_eval_count.map(input)))
    }
}
