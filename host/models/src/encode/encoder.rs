//! A model as the rest of the host uses it: texts in, finite rows out, whatever happens to the worker.

use std::time::{Duration, Instant};

use mteb_base::byte_size::ByteSize;
use mteb_cache::{EmbeddingCache, Key};
use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use mteb_results::footprint::{Counters, Setting, weights_of};
use mteb_tasks::{Matrix, Ranker, Role};
use mteb_workers::plugins::{ModelClient, WorkerError};

use super::batch::pack;
use super::distinct::{spread, unique};
use super::error::{check_finite, check_room};
use super::memoized_embeddings::MemoizedEmbeddings;
use super::role::{interface_role, role_code};
use super::worker_use::WorkerUse;
use super::{EncodeError, Occupation};
use crate::model::LoadedModel;

/// Tokens a batch may hold unless the user says otherwise.
const DEFAULT_BATCH_TOKENS: usize = 32_768;

/// A running model with its batching and its counters.
pub struct Encoder {
    model: LoadedModel,
    pub(super) batch_tokens: usize,
    /// Deaths of the worker that the current unit may still survive.
    pub(super) restarts_left: u32,
    cache: Option<EmbeddingCache>,
    /// What is kept of a model whose embeddings have no fixed width.
    pub(super) memoized: MemoizedEmbeddings,
    pub(super) counters: Counters,
    occupation: Occupation,
    may_encode_ahead: bool,
    /// Tokens of all texts that were encoded.
    tokens: u64,
    /// Processor time and peak memory of the workers so far.
    worker: WorkerUse,
}

/// Texts of one role and prompt, some of which are to be encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct EncodeJob<'a> {
    /// Distinct texts.
    pub texts: &'a [&'a str],
    /// Their keys in the cache, if there is one.
    pub keys: Option<&'a [Key]>,
    /// The numbers of those to encode.
    pub missing: &'a [usize],
    pub role: Option<Role>,
    pub prompt: &'a str,
}

impl Encoder {
    /// An encoder over a running model; `batch_tokens` 0 means what the model wants, else the default.
    pub fn new(model: impl Into<LoadedModel>, batch_tokens: usize) -> Self {
        let model = model.into();
        let usual = model.info().batch_tokens.map_or(DEFAULT_BATCH_TOKENS, |tokens| tokens as usize);
        let batch_tokens = if batch_tokens == 0 { usual } else { batch_tokens };
        Self {
            model,
            batch_tokens,
            restarts_left: 1,
            cache: None,
            memoized: MemoizedEmbeddings::new(ByteSize(0)),
            counters: Counters::default(),
            occupation: Occupation::default(),
            may_encode_ahead: true,
            tokens: 0,
            worker: WorkerUse::default(),
        }
    }

    /// The same encoder, which takes embeddings from `cache` and keeps new ones there.
    #[must_use]
    pub fn with_cache(self, cache: Option<EmbeddingCache>) -> Self {
        Self { cache, ..self }
    }

    /// The same encoder, which keeps embeddings without a fixed width in at most `limit` bytes of memory.
    #[must_use]
    pub fn with_row_memory(self, limit: ByteSize) -> Self {
        Self { memoized: MemoizedEmbeddings::new(limit), ..self }
    }

    /// Writes what the cache has not written yet; gives what went wrong with the cache, a line each.
    pub fn finish(&mut self) -> Vec<String> {
        let Some(cache) = &mut self.cache else { return Vec::new() };
        cache.flush();
        cache.take_warnings()
    }

    /// What the model says of itself.
    pub fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// A new unit begins: a worker that dies in it is started once more.
    pub fn begin_unit(&mut self) {
        self.restarts_left = 1;
    }

    /// What the model did to texts since the last call that results should say.
    pub fn take_notes(&mut self) -> Vec<String> {
        match &mut self.model {
            LoadedModel::Worker(client) => client.take_notes(),
            LoadedModel::Bm25(_) => Vec::new(),
        }
    }

    /// Who the model is, as a result file holds it.
    pub fn facts(&self) -> Json {
        self.model.facts()
    }

    /// True if the model ranks documents and cannot encode.
    pub fn ranks(&self) -> bool {
        matches!(self.model, LoadedModel::Bm25(_))
    }

    /// The model as it ranks documents in these languages; `None` if it encodes.
    pub fn ranker(&self, languages: &[String]) -> Option<Box<dyn Ranker>> {
        match &self.model {
            LoadedModel::Bm25(bm25) => Some(Box::new(bm25.ranker(languages))),
            LoadedModel::Worker(_) => None,
        }
    }

    /// What was done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Tokens of all texts that were encoded so far.
    pub(super) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Counts tokens of texts that were encoded.
    pub(super) fn add_tokens(&mut self, tokens: u64) {
        self.tokens += tokens;
    }

    /// Processor time of the workers so far.
    pub(super) fn worker_processor(&self) -> Duration {
        self.worker.processor()
    }

    /// The most memory of a worker that was resident at any time, in bytes.
    pub fn worker_memory(&mut self) -> Option<u64> {
        let LoadedModel::Worker(client) = &self.model else { return None };
        self.worker.memory(client.process())
    }

    /// The process of the worker, if there is one.
    pub fn worker_process(&self) -> Option<u32> {
        let LoadedModel::Worker(client) = &self.model else { return None };
        client.process()
    }

    /// What of a footprint is the model's.
    pub fn setting(&self) -> Setting {
        let info = self.info();
        let (host, version) = ("mteb-host".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let mut setting = Setting {
            weights: None,
            parameters: info.parameters,
            embedding_bytes: if info.rows.is_dense() { 4 * info.dimension } else { 0 },
            device: info.device.clone(),
            libraries: vec![(host, version)],
        };
        if let LoadedModel::Worker(client) = &self.model {
            let manifest = &client.plugin().manifest;
            setting.libraries.push((manifest.name.clone(), manifest.version.clone()));
            setting.weights =
                client.config().folder.as_deref().and_then(|folder| weights_of(folder.as_ref()));
        }
        setting
    }

    /// How busy the worker was so far.
    pub fn occupation(&self) -> Occupation {
        self.occupation
    }

    /// The cache, if embeddings are kept and texts may be encoded before a unit asks for them.
    pub(super) fn cache_for_ahead(&mut self) -> Option<&mut EmbeddingCache> {
        self.cache.as_mut().filter(|_| self.may_encode_ahead)
    }

    /// From here on texts are encoded for the unit that asks for them, so that a failure is that unit's.
    pub(super) fn never_encode_ahead(&mut self) {
        self.may_encode_ahead = false;
    }

    /// Runs `work` without any restart of the worker, whatever the current unit may survive.
    pub(super) fn without_restart<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::take(&mut self.restarts_left);
        let result = work(self);
        self.restarts_left = before;
        result
    }

    /// One row a text, in order; identical texts are encoded once, and those in the cache not at all. `progress` hears
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
        // Asked for even where the model fails: what is in the cache is counted before.
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
        progress((texts.len() - missing.len()) as u64);
        let before = (self.tokens, self.worker.processor());
        let job = EncodeJob { texts: &unique, keys: keys.as_deref(), missing: &missing, role, prompt };
        self.encode_missing(job, &mut encoded, &mut |members| {
            progress(members.len() as u64);
            true
        })?;
        self.counters.encoded += missing.len() as u64;
        self.counters.from_cache += (unique.len() - missing.len()) as u64;
        self.counters.busy += begin.elapsed();
        self.counters.tokens += self.tokens - before.0;
        self.counters.processor += self.worker.processor().saturating_sub(before.1);
        Ok(spread(encoded, &rows, unique.len(), dimension))
    }

    /// Encodes what is missing of `job` into its rows of `out`, one row a text. `done` hears of the texts of every
    /// finished batch, and says whether to go on.
    pub(super) fn encode_missing(
        &mut self,
        job: EncodeJob,
        out: &mut [f32],
        done: &mut dyn FnMut(&[usize]) -> bool,
    ) -> Result<(), EncodeError> {
        let EncodeJob { texts, keys, missing, role, prompt } = job;
        let dimension = self.info().dimension as usize;
        let counts = self.count_tokens(&missing.iter().map(|&text| texts[text]).collect::<Vec<_>>())?;
        let (order, batches) = pack(&counts, self.batch_tokens);
        for batch in batches {
            let tokens: u64 = order[batch.clone()].iter().map(|&text| u64::from(counts[text])).sum();
            let members: Vec<usize> = order[batch].iter().map(|&text| missing[text]).collect();
            self.encode_batch(texts, &members, role, prompt, out)?;
            self.tokens += tokens;
            self.keep(keys, &members, out, dimension);
            if !done(&members) {
                return Ok(());
            }
        }
        Ok(())
    }

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
        let before = self.worker.processor();
        let (order, batches) = pack(&joined, self.batch_tokens);
        let mut scores = vec![0.0; queries.len()];
        for batch in batches {
            let members = &order[batch];
            let left: Vec<&str> = members.iter().map(|&pair| queries[pair]).collect();
            let right: Vec<&str> = members.iter().map(|&pair| documents[pair]).collect();
            let found = self.with_restart(false, |client| client.predict(&left, &right, prompt))?;
            for ((&pair, &score), text) in members.iter().zip(&found).zip(&left) {
                check_finite(&self.info().identity.name, &[score], "score", text)?;
                scores[pair] = score;
            }
            progress(members.len() as u64);
        }
        self.counters.texts += queries.len() as u64;
        self.counters.encoded += queries.len() as u64;
        self.counters.busy += begin.elapsed();
        self.counters.tokens += joined.iter().map(|&count| u64::from(count)).sum::<u64>();
        self.counters.processor += self.worker.processor().saturating_sub(before);
        Ok(scores)
    }

    /// Gives the rows of `members` to the cache.
    fn keep(&mut self, keys: Option<&[Key]>, members: &[usize], encoded: &[f32], dimension: usize) {
        let (Some(cache), Some(keys)) = (&mut self.cache, keys) else { return };
        for &text in members {
            cache.insert(keys[text], &encoded[text * dimension..(text + 1) * dimension]);
        }
        cache.flush_if_due();
    }

    pub(super) fn count_tokens(&mut self, texts: &[&str]) -> Result<Vec<u32>, EncodeError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.with_restart(false, |client| client.count_tokens(texts))?)
    }

    /// Encodes `members` into their rows of `out`; a batch that does not fit into memory is halved.
    fn encode_batch(
        &mut self,
        texts: &[&str],
        members: &[usize],
        role: Option<Role>,
        prompt: &str,
        out: &mut [f32],
    ) -> Result<(), EncodeError> {
        let dimension = self.info().dimension as usize;
        let name = self.info().identity.name.clone();
        self.in_halves(
            members,
            &|client, members| {
                let batch: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
                client.encode(&batch, interface_role(role), prompt)
            },
            &mut |members, rows: Vec<f32>| {
                for (&text, row) in members.iter().zip(rows.chunks_exact(dimension.max(1))) {
                    check_finite(&name, row, "embedding", texts[text])?;
                    out[text * dimension..(text + 1) * dimension].copy_from_slice(row);
                }
                Ok(())
            },
        )
    }

    /// Runs `work`, once more in a new worker if the first one died and the unit may still survive that. Where memory ran
    /// out, a caller that `can_split` its batch is told instead.
    pub(super) fn with_restart<R>(
        &mut self,
        can_split: bool,
        work: impl Fn(&mut ModelClient) -> Result<R, WorkerError>,
    ) -> Result<R, WorkerError> {
        let LoadedModel::Worker(client) = &mut self.model else {
            return Err(WorkerError::Refused(format!(
                "model {} ranks documents and cannot encode: choose retrieval or reranking tasks, such as \
                 `--task-type Retrieval`, or another model",
                self.model.info().identity.name
            )));
        };
        let begin = Instant::now();
        let mut result = asked(client, can_split, &work);
        if let Err(error) = &result
            && (error.is_death() || (error.is_memory() && !can_split))
            && self.restarts_left > 0
        {
            self.restarts_left -= 1;
            let is_memory = error.is_memory();
            if is_memory {
                self.batch_tokens = (self.batch_tokens / 2).max(1);
            }
            if !(is_memory && can_split) {
                result = asked(client, can_split, &work);
            }
        }
        self.occupation.add(begin, Instant::now());
        self.worker.note(client.process());
        result
    }
}

/// Does `work`. A worker whose memory is full though it has little to do is ended: a new one holds nothing.
fn asked<R>(
    client: &mut ModelClient,
    can_split: bool,
    work: impl Fn(&mut ModelClient) -> Result<R, WorkerError>,
) -> Result<R, WorkerError> {
    let result = work(client);
    if matches!(&result, Err(error) if error.is_memory() && !can_split) {
        client.end();
    }
    result
}
