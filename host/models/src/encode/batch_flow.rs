//! How texts become rows of one width, and pairs scores, in the order in which a batch flows:
//! distinct texts, what the cache lacks, token counts, batches of similar length, the workers'
//! answers, rows to their places.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use mteb_cache::{EmbeddingCache, Key};
use mteb_plugin_api::v1;
use mteb_tasks::{Matrix, Role};
use mteb_workers::plugins::ModelClient;
use tracing::debug;

use super::error::{check_finite, check_room};
use super::pool::{Answers, BatchRequest};
use super::{EncodeError, Encoder};

impl Encoder {
    /// One row per text, in order; identical texts are encoded once, and those in the cache not at all. `progress` hears
    /// of every finished batch.
    ///
    /// # Errors
    /// If the model fails, or gives a value that is not finite.
    pub fn encode(
        &mut self,
        texts: &[&str],
        role: Option<Role>,
        prompt: &str,
        progress: &dyn Fn(u64),
    ) -> Result<Matrix, EncodeError> {
        let begin = Instant::now();
        // Computed even if the model fails, because texts found in the cache are counted first.
        self.counters.texts += texts.len() as u64;
        let dimension = self.info().dimension as usize;
        let (unique, rows) = unique(texts);
        check_room(unique.len(), dimension)?;
        let mut encoded = vec![0.0_f32; unique.len() * dimension];
        let keys = self.cache.as_ref().map(|cache| cache.keys(role_code(role), prompt, &unique));
        let missing = match (&mut self.cache, &keys) {
            (Some(cache), Some(keys)) => cache.read(keys, &mut encoded),
            _ => (0..unique.len()).collect(),
        };
        debug!(texts = texts.len(), unique = unique.len(), missing = missing.len(), "encode");
        progress((texts.len() - missing.len()) as u64);
        let before = (self.tokens, self.worker_processor());
        let job = EncodeJob { missing, role, prompt };
        let missing = job.missing.len() as u64;
        self.encode_missing(&unique, keys.as_deref(), &[job], &mut encoded, &mut |members| {
            progress(members.len() as u64);
            true
        })?;
        self.counters.encoded += missing;
        self.counters.from_cache += unique.len() as u64 - missing;
        self.counters.busy += begin.elapsed();
        self.counters.tokens += self.tokens - before.0;
        self.counters.processor += self.worker_processor().saturating_sub(before.1);
        Ok(spread(encoded, &rows, unique.len(), dimension))
    }

    /// Encodes those of the distinct `texts` that `jobs` lack into their rows of `out`, one row per
    /// text. Each job has its own batches, and the workers get all of them at once. `done` hears
    /// about the texts of every finished batch, and decides whether to continue.
    pub(super) fn encode_missing(
        &mut self,
        texts: &[&str],
        keys: Option<&[Key]>,
        jobs: &[EncodeJob],
        out: &mut [f32],
        done: &mut dyn FnMut(&[usize]) -> bool,
    ) -> Result<(), EncodeError> {
        let (mut batches, mut job_of) = (Batches::default(), Vec::new());
        for job in jobs {
            let missing: Vec<&str> = job.missing.iter().map(|&text| texts[text]).collect();
            batches.extend(self.batches(&missing)?, &job.missing);
            job_of.resize(batches.plan.len(), job);
        }
        let Batches { plan, tokens } = &batches;
        let call_worker = |client: &mut ModelClient, batch: usize, members: &[usize]| {
            let EncodeJob { role, prompt, .. } = job_of[batch];
            let texts: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
            client.encode(&texts, interface_role(*role), prompt)
        };
        let request = BatchRequest { plan, may_split: true, is_counted: true, call_worker: &call_worker };
        let (dimension, name) = (self.info().dimension as usize, self.info().identity.name.clone());
        let mut cache = self.cache.take();
        let kept = cache.as_mut().zip(keys);
        let mut rows = DenseRows { texts, kept, plan, tokens, out, dimension, name: &name, encoded: 0, done };
        let result = self.ask(&request, &mut rows);
        self.tokens += rows.encoded;
        self.cache = cache;
        result
    }

    /// The batches of `texts`.
    pub(super) fn batches(&mut self, texts: &[&str]) -> Result<Batches, EncodeError> {
        let counts = self.count_tokens(texts)?;
        Ok(Batches::of(&counts, self.model.pool()?.batch_tokens))
    }

    /// How many tokens each text has.
    pub(super) fn count_tokens(&mut self, texts: &[&str]) -> Result<Vec<u32>, EncodeError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let share = texts.len().div_ceil(self.model.pool()?.size()).max(LEAST_SHARE);
        let all: Vec<usize> = (0..texts.len()).collect();
        let plan: Vec<Vec<usize>> = all.chunks(share).map(<[usize]>::to_vec).collect();
        let call_worker = |client: &mut ModelClient, _: usize, members: &[usize]| {
            let texts: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
            client.count_tokens(&texts)
        };
        let request =
            BatchRequest { plan: &plan, may_split: false, is_counted: false, call_worker: &call_worker };
        let mut counts = Counts(vec![0; texts.len()]);
        self.ask(&request, &mut counts)?;
        Ok(counts.0)
    }
}

/// Distinct texts in the order of their first appearance, and for each text the number of its distinct one.
pub(super) fn unique<'a>(texts: &[&'a str]) -> (Vec<&'a str>, Vec<usize>) {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(texts.len());
    let mut unique = Vec::with_capacity(texts.len());
    let rows = texts
        .iter()
        .map(|&text| {
            *seen.entry(text).or_insert_with(|| {
                unique.push(text);
                unique.len() - 1
            })
        })
        .collect();
    (unique, rows)
}

/// Texts of one role and prompt that are to be encoded.
#[derive(Clone, Debug)]
pub(super) struct EncodeJob<'a> {
    /// Their numbers.
    pub missing: Vec<usize>,
    pub role: Option<Role>,
    pub prompt: &'a str,
}

/// The number by which a role crosses the plugin interface.
pub(super) fn role_code(role: Option<Role>) -> u32 {
    interface_role(role).to_code()
}

pub(super) fn interface_role(role: Option<Role>) -> v1::Role {
    match role {
        None => v1::Role::None,
        Some(Role::Query) => v1::Role::Query,
        Some(Role::Document) => v1::Role::Document,
    }
}

/// Minimum number of texts that a worker counts at a time if several share the work.
const LEAST_SHARE: usize = 1024;

struct Counts(Vec<u32>);

impl Answers<Vec<u32>> for Counts {
    fn take(&mut self, _: usize, members: &[usize], found: Vec<u32>) -> Result<(), EncodeError> {
        members.iter().zip(found).for_each(|(&text, count)| self.0[text] = count);
        Ok(())
    }

    fn done(&mut self, _: usize) -> bool {
        true
    }
}

/// Batches of texts, longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches {
    /// The numbers of the texts of each.
    pub plan: Vec<Vec<usize>>,
    /// Tokens of each, padding aside.
    pub tokens: Vec<u64>,
}

impl Batches {
    /// The batches of texts of these lengths.
    pub fn of(counts: &[u32], budget: usize) -> Self {
        let (order, batches) = pack(counts, budget);
        let tokens = |members: &[usize]| members.iter().map(|&text| u64::from(counts[text])).sum();
        let members = |batch: std::ops::Range<usize>| order[batch].to_vec();
        let plan: Vec<Vec<usize>> = batches.into_iter().map(members).collect();
        Self { tokens: plan.iter().map(|members| tokens(members)).collect(), plan }
    }

    /// Adds the batches of other texts, which are called by these `numbers`.
    pub fn extend(&mut self, others: Self, numbers: &[usize]) {
        let renumbered = |members: Vec<usize>| members.into_iter().map(|text| numbers[text]).collect();
        self.plan.extend(others.plan.into_iter().map(renumbered));
        self.tokens.extend(others.tokens);
    }
}

/// Maximum number of texts in a batch, so that progress is visible and shared memory stays small.
const MAX_TEXTS: usize = 4096;

/// The order in which to encode texts of these token counts (longest first, then as given), and the batches of
/// that order. A batch holds at most `budget` tokens, padding counted, but always at least one text.
fn pack(counts: &[u32], budget: usize) -> (Vec<usize>, Vec<Range<usize>>) {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(counts[text]), text));
    let mut batches = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let longest = counts[order[start]].max(1) as usize;
        let size = (budget / longest).clamp(1, MAX_TEXTS).min(order.len() - start);
        batches.push(start..start + size);
        start += size;
    }
    (order, batches)
}

/// The destination of finished rows.
struct DenseRows<'a> {
    texts: &'a [&'a str],
    kept: Option<(&'a mut EmbeddingCache, &'a [Key])>,
    plan: &'a [Vec<usize>],
    tokens: &'a [u64],
    out: &'a mut [f32],
    dimension: usize,
    /// The model's name.
    name: &'a str,
    /// Tokens of the finished batches.
    encoded: u64,
    done: &'a mut dyn FnMut(&[usize]) -> bool,
}

impl Answers<Vec<f32>> for DenseRows<'_> {
    fn take(&mut self, _: usize, members: &[usize], rows: Vec<f32>) -> Result<(), EncodeError> {
        for (&text, row) in members.iter().zip(rows.chunks_exact(self.dimension.max(1))) {
            check_finite(self.name, row, "embedding", self.texts[text])?;
            self.out[text * self.dimension..(text + 1) * self.dimension].copy_from_slice(row);
        }
        Ok(())
    }

    /// Also stores the rows in the cache.
    fn done(&mut self, batch: usize) -> bool {
        let members = &self.plan[batch];
        self.encoded += self.tokens[batch];
        if let Some((cache, keys)) = &mut self.kept {
            for &text in members {
                cache.insert(keys[text], &self.out[text * self.dimension..(text + 1) * self.dimension]);
            }
            cache.flush_if_due();
        }
        (self.done)(members)
    }
}

/// Copies to every text the row of its distinct text.
pub(super) fn spread(encoded: Vec<f32>, rows: &[usize], unique: usize, dimension: usize) -> Matrix {
    let encoded = Matrix { values: encoded, dimension };
    if rows.len() == unique { encoded } else { encoded.select(rows) }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_first_and_share_a_batch_with_their_like() {
        let (order, batches) = pack(&[1, 9, 2, 9, 3], 10);
        assert_eq!(order, [1, 3, 4, 2, 0]);
        assert_eq!(batches, [0..1, 1..2, 2..5]);
    }

    #[test]
    fn a_text_longer_than_the_budget_has_a_batch_of_its_own() {
        let (_, batches) = pack(&[100, 90], 10);
        assert_eq!(batches, [0..1, 1..2]);
        assert!(pack(&[], 10).1.is_empty());
    }
}
