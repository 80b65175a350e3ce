//! Scores pairs: one request for each query and some of its documents.

use std::sync::Arc;

use mteb_card::ApiCard;
use mteb_remote::{Call, Client, Failure, Flow, Read};

use crate::request::{Limits, bounds_of_scores, groups, tokens_of};
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
        let groups = groups(queries, documents, self.limits);
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
                failed = Some(failure);
                Flow::End
            }
        });
        failed.map_or(Ok(()), Err)
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
