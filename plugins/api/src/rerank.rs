//! Scores pairs: one request for each query and some of its documents.

use std::sync::Arc;

use mteb_card::{ApiCard, EmptyText};
use mteb_remote::{Call, Client, Failure, Flow, Read};

use crate::encode::{SPACE, is_blank};
use crate::request::{Limits, begin_of, bounds_of_scores, groups, tokens_of};
use crate::styles::{Reranking, Style, read_scores};

/// What scores pairs.
pub struct Reranker<'a> {
    /// Whom to ask.
    pub client: &'a Client,
    /// In which form.
    pub style: &'static dyn Style,
    /// For what.
    pub card: &'a ApiCard,
    /// How much at once.
    pub limits: Limits,
}

impl Reranker<'_> {
    /// Writes the score of each pair.
    ///
    /// # Errors
    /// If the endpoint refuses a pair, gives no answer, or has no such questions.
    pub fn score(&self, queries: &[&str], documents: &[&str], out: &mut [f32]) -> Result<(), Failure> {
        let queries: Vec<&str> = queries.iter().map(|query| self.prepare(query)).collect();
        let documents: Vec<&str> = documents.iter().map(|document| self.prepare(document)).collect();
        let groups = groups(&queries, &documents, self.limits);
        let calls = groups.iter().map(|group| {
            let documents: Vec<String> = group.pairs.iter().map(|&pair| documents[pair].to_owned()).collect();
            self.call(group.query, &documents)
        });
        let calls: Vec<Call> = calls.collect::<Result<_, _>>()?;
        let counts: Arc<[usize]> = groups.iter().map(|group| group.pairs.len()).collect();
        let style = self.style;
        let read = move |number: usize, reply: &[u8]| {
            let (value, usage) = read_scores(style, reply, counts[number])?;
            Ok(Read { value, usage })
        };
        let mut failed = None;
        self.client.each(calls, read, &mut |number: usize, result: Result<Vec<f32>, Failure>| match result {
            Ok(scores) => {
                groups[number].pairs.iter().zip(scores).for_each(|(&pair, score)| out[pair] = score);
                Flow::On
            }
            Err(failure) => {
                let sent = groups[number].pairs.iter().map(|&pair| documents[pair]);
                failed = Some(explain(failure, groups[number].query, sent, self.card.empty_text));
                Flow::End
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// A text as it is sent.
    fn prepare<'a>(&self, text: &'a str) -> &'a str {
        if is_blank(text) && self.card.empty_text == EmptyText::Space { " " } else { text }
    }

    fn call(&self, query: &str, documents: &[String]) -> Result<Call, Failure> {
        let question = Reranking { card: self.card, query, documents };
        let (path, body) = self.style.reranking(question).ok_or_else(|| {
            let style = self.card.style.name();
            Failure::Impossible(format!("expected a style with rerankers, found: {style}"))
        })?;
        let tokens = documents.iter().map(|document| (tokens_of(query) + tokens_of(document)) as u64).sum();
        let body = body.to_string().into_bytes();
        let bounds = bounds_of_scores(documents.len(), &body);
        Ok(Call { path, body, tokens, reply_tokens: 0, bounds })
    }
}

/// A refusal of a request that has an empty text, which is named with what to say in the card, or with what it says (`set`); another
/// failure as it is.
fn explain<'a>(
    failure: Failure,
    query: &str,
    mut documents: impl Iterator<Item = &'a str>,
    set: EmptyText,
) -> Failure {
    let Failure::Refused { place, status, message } = failure else { return failure };
    let empty = if is_blank(query) {
        Some("the query is empty".to_owned())
    } else {
        let number = documents.position(is_blank);
        number.map(|number| format!("document {} of the query {:?} is empty", number + 1, begin_of(query)))
    };
    let advice = empty.map(|empty| match set {
        EmptyText::Space => format!("; {empty}, for which one space was sent, as the card says"),
        _ => format!("; {empty}: set {SPACE} below `[api]` in the model's card"),
    });
    Failure::Refused { place, status, message: message + &advice.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(query: &str, documents: &[&str], set: EmptyText) -> String {
        let refused = Failure::Refused { place: "h".to_owned(), status: 400, message: "no".to_owned() };
        match explain(refused, query, documents.iter().copied(), set) {
            Failure::Refused { message, .. } => message,
            other => other.to_string(),
        }
    }

    #[test]
    fn a_refusal_names_the_empty_text_and_what_to_say() {
        let advice = "set `empty_text = \"space\"` below `[api]` in the model's card";
        assert_eq!(said("", &["a"], EmptyText::Send), format!("no; the query is empty: {advice}"));
        let of_document = format!("no; document 2 of the query \"q\" is empty: {advice}");
        assert_eq!(said("q", &["a", ""], EmptyText::Send), of_document);
        let replaced =
            "no; document 1 of the query \"q\" is empty, for which one space was sent, as the card says";
        assert_eq!(said("q", &[" "], EmptyText::Space), replaced);
        assert_eq!(said("q", &["a"], EmptyText::Send), "no");
    }
}
