//! Scores pairs with cross-encoders.

use std::time::Instant;

use mteb_workers::plugins::ModelClient;

use super::batches::Batches;
use super::error::check_finite;
use super::pool::{Answers, BatchRequest};
use super::{EncodeError, Encoder};

impl Encoder {
    /// Relevance of each pair.
    ///
    /// # Errors
    /// If the model fails, or gives a value that is not finite.
    pub fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        prompt: &str,
        progress: &dyn Fn(u64),
    ) -> Result<Vec<f32>, EncodeError> {
        let begin = Instant::now();
        let joined: Vec<u32> = {
            let (left, right) = (self.count_tokens(queries)?, self.count_tokens(documents)?);
            left.iter().zip(&right).map(|(left, right)| left + right).collect()
        };
        let before = self.worker_processor();
        let batches = Batches::of(&joined, self.model.pool()?.batch_tokens);
        let call_worker = |client: &mut ModelClient, _: usize, members: &[usize]| {
            let left: Vec<&str> = members.iter().map(|&pair| queries[pair]).collect();
            let right: Vec<&str> = members.iter().map(|&pair| documents[pair]).collect();
            client.predict(&left, &right, prompt)
        };
        let request = BatchRequest {
            plan: &batches.plan,
            may_split: false,
            is_counted: true,
            call_worker: &call_worker,
        };
        let name = self.info().identity.name.clone();
        let scores = vec![0.0; queries.len()];
        let mut pairs = PairScores { name: &name, queries, scores, plan: &batches.plan, progress };
        self.ask(&request, &mut pairs)?;
        let PairScores { scores, .. } = pairs;
        self.counters.texts += queries.len() as u64;
        self.counters.encoded += queries.len() as u64;
        self.counters.busy += begin.elapsed();
        self.counters.tokens += joined.iter().map(|&count| u64::from(count)).sum::<u64>();
        self.counters.processor += self.worker_processor().saturating_sub(before);
        Ok(scores)
    }
}

struct PairScores<'a> {
    /// The model's name.
    name: &'a str,
    queries: &'a [&'a str],
    scores: Vec<f32>,
    plan: &'a [Vec<usize>],
    progress: &'a dyn Fn(u64),
}

impl Answers<Vec<f32>> for PairScores<'_> {
    fn take(&mut self, _: usize, members: &[usize], found: Vec<f32>) -> Result<(), EncodeError> {
        for (&pair, &score) in members.iter().zip(&found) {
            check_finite(self.name, &[score], "score", self.queries[pair])?;
            self.scores[pair] = score;
        }
        Ok(())
    }

    fn done(&mut self, batch: usize) -> bool {
        (self.progress)(self.plan[batch].len() as u64);
        true
    }
}
