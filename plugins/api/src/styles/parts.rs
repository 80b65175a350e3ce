//! The interface of a provider's API format, and what several formats share: requests to a provider, the content
//! of its replies, rows as numbers or their bytes in base64, and the checks of every one.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mteb_card::ApiCard;
use mteb_remote::{Unfit, Usage};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::request::Limits;

/// The form of one provider.
pub trait Style: Send + Sync {
    /// Header of the key, and what stands before the key there.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    /// True if its questions ask the provider to cut texts that are too long; those for relevance if `reranks`.
    fn truncates(&self, reranks: bool) -> bool {
        let _ = reranks;
        false
    }

    /// Most texts and tokens in a request, where the card does not say.
    fn limits(&self) -> Limits;

    /// Path and body of a question for embeddings.
    fn embedding(&self, question: Embedding) -> (String, Value);

    /// The rows of a reply.
    ///
    /// # Errors
    /// If the reply does not have the form.
    fn rows(&self, reply: &[u8]) -> Found<Rows>;

    /// Path and body of a question for relevance; `None` if the provider has no such questions.
    fn reranking(&self, question: Reranking) -> Option<(String, Value)> {
        let _ = question;
        None
    }

    /// The scores of a reply.
    ///
    /// # Errors
    /// If the reply does not have the form.
    fn scores(&self, reply: &[u8]) -> Found<Scores> {
        results(reply)
    }
}

/// Characters of a reply that a message shows.
const SHOWN: usize = 80;

/// A reply with rows under `data`, as OpenAI, Voyage and Jina send it.
#[derive(Deserialize)]
struct Data {
    data: Vec<DataRow>,
    #[serde(default)]
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct DataRow {
    #[serde(default)]
    index: Option<usize>,
    embedding: Row,
}

/// Tokens as replies count them.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    prompt_tokens: Option<u64>,
    total_tokens: Option<u64>,
}

/// A reply with scores under `results`, as Cohere, Jina, ZeroEntropy and most servers send it, or under `data`, as Voyage does.
#[derive(Deserialize)]
struct Results {
    #[serde(alias = "data")]
    results: Vec<Score>,
    #[serde(default)]
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
pub struct Score {
    pub index: usize,
    #[serde(alias = "relevance_score")]
    pub score: f32,
}

/// The rows under `data`.
pub fn data(reply: &[u8]) -> Found<Rows> {
    let Data { data, usage } = json(reply)?;
    let rows = data.into_iter().map(|DataRow { index, embedding }| (index, embedding.0)).collect();
    Ok((rows, usage.and_then(Tokens::usage)))
}

/// The scores under `results` or `data`.
pub fn results(reply: &[u8]) -> Found<Scores> {
    let Results { results, usage } = json(reply)?;
    Ok((
        results.into_iter().map(|Score { index, score }| (index, score)).collect(),
        usage.and_then(Tokens::usage),
    ))
}

impl Tokens {
    fn usage(self) -> Option<Usage> {
        self.prompt_tokens.or(self.total_tokens).map(input)
    }
}

/// So many tokens of a question.
pub fn input(tokens: u64) -> Usage {
    Usage { input: tokens, ..Usage::default() }
}

/// A reply as JSON of the expected form.
pub fn json<T: DeserializeOwned>(reply: &[u8]) -> Result<T, Unfit> {
    serde_json::from_slice(reply).map_err(|error| {
        let begin: String = String::from_utf8_lossy(reply).chars().take(SHOWN).collect();
        let begin = begin.split_whitespace().collect::<Vec<_>>().join(" ");
        Unfit::passing(format!(
            "expected a reply with embeddings or scores as JSON, found ({error}): {begin}"
        ))
    })
}

/// An object of JSON without the entries that are null.
pub fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(entries.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

/// One row per text, in the order of the texts, each of `dimension` numbers, finite and not all zero.
pub fn checked_rows(rows: Rows, texts: usize, dimension: Option<usize>) -> Result<Vec<Vec<f32>>, Unfit> {
    let indices =
        rows.iter().enumerate().map(|(place, (index, _))| index.unwrap_or(place)).collect::<Vec<_>>();
    let order = order(&indices, texts, "rows")?;
    let mut rows: Vec<Vec<f32>> = rows.into_iter().map(|(_, row)| row).collect();
    let dimension = dimension.unwrap_or_else(|| rows.first().map_or(0, Vec::len));
    for row in &rows {
        if row.len() != dimension {
            let found = row.len();
            return Err(Unfit::lasting(format!(
                "expected rows of {dimension} numbers, found one of {found}"
            )));
        }
        if let Some(value) = row.iter().find(|value| !value.is_finite()) {
            return Err(Unfit::passing(format!("expected finite numbers in a row, found: {value}")));
        }
        if row.iter().all(|value| *value == 0.0) {
            return Err(Unfit::passing("expected a row with a number other than 0, found only zeros"));
        }
    }
    Ok(order.into_iter().map(|place| std::mem::take(&mut rows[place])).collect())
}

/// One finite score a document, in the order of the documents.
pub fn checked_scores(scores: Scores, documents: usize) -> Result<Vec<f32>, Unfit> {
    let indices: Vec<usize> = scores.iter().map(|(index, _)| *index).collect();
    let order = order(&indices, documents, "scores")?;
    if let Some((_, score)) = scores.iter().find(|(_, score)| !score.is_finite()) {
        return Err(Unfit::passing(format!("expected finite scores, found: {score}")));
    }
    Ok(order.into_iter().map(|place| scores[place].1).collect())
}

/// For each of `count` questions the place of its answer.
fn order(indices: &[usize], count: usize, what: &str) -> Result<Vec<usize>, Unfit> {
    if indices.len() != count {
        return Err(Unfit::passing(format!("expected {count} {what}, found {}", indices.len())));
    }
    let mut places = vec![usize::MAX; count];
    for (place, &index) in indices.iter().enumerate() {
        match places.get_mut(index) {
            Some(free @ &mut usize::MAX) => *free = place,
            _ => {
                return Err(Unfit::passing(format!(
                    "expected {what} numbered 0 to {}, each once, found: {index}",
                    count - 1
                )));
            }
        }
    }
    Ok(places)
}

/// A question for embeddings.
#[derive(Clone, Copy, Debug)]
pub struct Embedding<'a> {
    /// How the model is asked.
    pub card: &'a ApiCard,
    /// Texts.
    pub texts: &'a [String],
    /// What the endpoint calls their use.
    pub input_type: Option<&'a str>,
}

/// A question for the relevance of documents to one query.
#[derive(Clone, Copy, Debug)]
pub struct Reranking<'a> {
    /// How the model is asked.
    pub card: &'a ApiCard,
    /// The query.
    pub query: &'a str,
    /// Documents.
    pub documents: &'a [String],
}

/// Rows of a reply, each with the number of its text where the reply says it.
pub type Rows = Vec<(Option<usize>, Vec<f32>)>;

/// Scores of a reply, each with the number of its document.
pub type Scores = Vec<(usize, f32)>;

/// What was found in a reply, and what it has cost if the reply says so.
pub type Found<T> = Result<(T, Option<Usage>), Unfit>;

/// A row of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<f32>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of numbers, or their bytes in base64")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Row, A::Error> {
        let mut row = Vec::new();
        while let Some(value) = list.next_element::<f64>()? {
            row.push(value as f32);
        }
        Ok(Row(row))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Row, E> {
        let bytes = STANDARD.decode(text).map_err(|error| E::custom(format!("a row in base64: {error}")))?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(E::custom(format!(
                "a row in base64 of {} bytes, which is not a multiple of 4",
                bytes.len()
            )));
        }
        Ok(Row(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_put_into_the_order_of_their_numbers() {
        let reply = br#"{"data":[{"index":1,"embedding":[2.0]},{"index":0,"embedding":[1.0]}],"usage":{"prompt_tokens":7}}"#;
        let (rows, usage) = data(reply).unwrap();
        assert_eq!(usage.unwrap().input, 7);
        assert_eq!(checked_rows(rows, 2, Some(1)).unwrap(), [[1.0], [2.0]]);
    }

    #[test]
    fn what_is_missing_doubled_or_wrong_is_refused() {
        let check = |rows: &[(Option<usize>, &[f32])]| {
            let rows = rows.iter().map(|(index, row)| (*index, row.to_vec())).collect();
            checked_rows(rows, 2, Some(2)).unwrap_err().message
        };
        let row: &[f32] = &[1.0, 0.0];
        assert_eq!(check(&[(None, row)]), "expected 2 rows, found 1");
        assert_eq!(
            check(&[(Some(0), row), (Some(0), row)]),
            "expected rows numbered 0 to 1, each once, found: 0"
        );
        assert_eq!(
            check(&[(Some(0), row), (Some(2), row)]),
            "expected rows numbered 0 to 1, each once, found: 2"
        );
        assert_eq!(check(&[(None, row), (None, &[1.0])]), "expected rows of 2 numbers, found one of 1");
        assert_eq!(
            check(&[(None, row), (None, &[f32::NAN, 1.0])]),
            "expected finite numbers in a row, found: NaN"
        );
        assert_eq!(
            check(&[(None, row), (None, &[0.0, 0.0])]),
            "expected a row with a number other than 0, found only zeros"
        );
    }

    #[test]
    fn a_page_instead_of_json_is_shown() {
        let error = data(b"<html>\n<body>Bad gateway</body></html>").unwrap_err();
        assert!(
            error.may_pass && error.message.ends_with("<html> <body>Bad gateway</body></html>"),
            "{error:?}"
        );
    }

    #[test]
    fn numbers_and_base64_are_the_same_row() {
        let row: Row = serde_json::from_str("[1, -0.5, 2.5e-3]").unwrap();
        assert_eq!(row.0, [1.0, -0.5, 0.0025]);
        let bytes: Vec<u8> = row.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        let text = format!("{:?}", STANDARD.encode(bytes));
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in ["[1, null]", "[NaN]", "\"AAAA\"", "\"?\"", "{}", "[\"1\"]"] {
            assert!(serde_json::from_str::<Row>(text).is_err(), "{text}");
        }
    }
}
