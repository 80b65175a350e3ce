//! What several API formats share: requests to a provider, the content of its replies, and the
//! checks of every one.

use mteb_card::ApiCard;
use mteb_remote::{Unfit, Usage};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::row::Row;

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
}
