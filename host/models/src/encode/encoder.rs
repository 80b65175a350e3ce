//! A model as the rest of the host uses it: its workers, its cache, its embeddings in memory and
//! its counters. How it encodes a batch is in `batch_flow.rs`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mteb_base::byte_size::ByteSize;
use mteb_cache::{EmbeddingCache, Key};
use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use mteb_results::footprint::{Counters, Setting, weights_of};
use mteb_results::identity::model_facts;
use mteb_tasks::{Embeddings, Ranker};
use mteb_workers::plugins::{ModelClient, WorkerError};

use super::empty_texts::EmptyTexts;
use super::pool::{Answers, BatchRequest, Pool, WorkerSpeeds};
use super::{EncodeError, Occupation};
use crate::model::{Bm25Model, LoadedModel};

/// Maximum number of tokens per batch, unless the user chooses another one.
const DEFAULT_BATCH_TOKENS: usize = 32_768;

/// A running model with its batching and its counters.
pub struct Encoder {
    pub(super) model: RunningModel,
    pub(super) cache: Option<EmbeddingCache>,
    /// The embeddings in memory of a model whose embeddings have no fixed width.
    pub(super) memoized: MemoizedEmbeddings,
    pub(super) counters: Counters,
    pub(super) occupation: Occupation,
    may_encode_ahead: bool,
    /// Tokens of all texts that were encoded.
    pub(super) tokens: u64,
}

/// A model that is ready to compute.
pub(super) enum RunningModel {
    /// A plugin's, in one or more workers.
    Pool(Box<Pool>),
    /// BM25, which ranks documents and encodes nothing.
    Bm25(Box<Bm25Model>),
}

impl Encoder {
    /// An encoder over a running model. With `batch_tokens` 0, the model chooses the number; if it
    /// does not, the default counts.
    pub fn new(model: impl Into<LoadedModel>, batch_tokens: usize) -> Self {
        let model = match model.into() {
            LoadedModel::Worker(client) => {
                let usual = client.info().batch_tokens.map_or(DEFAULT_BATCH_TOKENS, |tokens| tokens as usize);
                let batch_tokens = if batch_tokens == 0 { usual } else { batch_tokens };
                RunningModel::Pool(Box::new(Pool::new(*client, batch_tokens)))
            }
            LoadedModel::Bm25(bm25) => RunningModel::Bm25(bm25),
        };
        Self {
            model,
            cache: None,
            memoized: MemoizedEmbeddings::new(ByteSize(0)),
            counters: Counters::default(),
            occupation: Occupation::default(),
            may_encode_ahead: true,
            tokens: 0,
        }
    }

    /// This encoder with additional workers of the same model. Batches, rows and their order are
    /// the same for any number of workers.
    #[must_use]
    pub fn with_workers(self, others: Vec<ModelClient>) -> Self {
        let model = match self.model {
            RunningModel::Pool(pool) => RunningModel::Pool(Box::new(pool.with(others))),
            bm25 => bm25,
        };
        Self { model, ..self }
    }

    /// This encoder with a `cache`, from which it reads embeddings and in which it stores new ones.
    #[must_use]
    pub fn with_cache(self, cache: Option<EmbeddingCache>) -> Self {
        Self { cache, ..self }
    }

    /// This encoder with a `limit` in bytes for embeddings without a fixed width that it keeps in
    /// memory.
    #[must_use]
    pub fn with_row_memory(self, limit: ByteSize) -> Self {
        Self { memoized: MemoizedEmbeddings::new(limit), ..self }
    }

    /// Writes the pending blocks of the cache. Returns one line per problem with the cache.
    pub fn finish(&mut self) -> Vec<String> {
        let Some(cache) = &mut self.cache else { return Vec::new() };
        cache.flush();
        cache.take_warnings()
    }

    /// What the model reports about itself.
    pub fn info(&self) -> &ModelInfo {
        match &self.model {
            RunningModel::Pool(pool) => pool.first().info(),
            RunningModel::Bm25(bm25) => bm25.info(),
        }
    }

    /// A new unit begins: a worker that dies in it is started once more.
    pub fn begin_unit(&mut self) {
        if let RunningModel::Pool(pool) = &mut self.model {
            pool.allow_restarts(1);
        }
    }

    /// Takes the changes that the model made to texts since the last call, which results record. If
    /// several workers report the same change, it is returned once.
    pub fn take_notes(&mut self) -> Vec<String> {
        let RunningModel::Pool(pool) = &mut self.model else { return Vec::new() };
        let mut notes: Vec<String> = Vec::new();
        for note in pool.clients().flat_map(ModelClient::take_notes) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    /// A counter of the empty texts of a unit, starting at zero.
    pub fn empty_texts(&self) -> EmptyTexts {
        self.pool().map(|pool| EmptyTexts::of(pool.first().config())).unwrap_or_default()
    }

    /// The identity of the model as result files record it.
    pub fn facts(&self) -> Json {
        match &self.model {
            RunningModel::Pool(pool) => {
                let client = pool.first();
                model_facts(client.info(), client.plugin(), client.config())
            }
            RunningModel::Bm25(bm25) => bm25.facts(),
        }
    }

    /// True if the model ranks documents and cannot encode.
    pub fn ranks(&self) -> bool {
        matches!(self.model, RunningModel::Bm25(_))
    }

    /// The ranking model for documents in these languages; `None` if the model encodes.
    pub fn ranker(&self, languages: &[String]) -> Option<Box<dyn Ranker>> {
        match &self.model {
            RunningModel::Bm25(bm25) => Some(Box::new(bm25.ranker(languages))),
            RunningModel::Pool(_) => None,
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

    /// Processor time of the workers so far.
    pub(super) fn worker_processor(&self) -> Duration {
        self.pool().map_or(Duration::ZERO, Pool::processor)
    }

    /// The sum of the workers' peak resident memory, in bytes. Shared pages count once per worker.
    pub fn worker_memory(&mut self) -> Option<u64> {
        let RunningModel::Pool(pool) = &mut self.model else { return None };
        pool.memory()
    }

    /// The processes of the workers that run.
    pub fn worker_processes(&self) -> Vec<u32> {
        self.pool().map(Pool::processes).unwrap_or_default()
    }

    /// Live counters of what each worker has encoded; none for a model without workers.
    pub fn speeds(&self) -> Arc<WorkerSpeeds> {
        self.pool().map(|pool| Arc::clone(pool.speeds())).unwrap_or_default()
    }

    fn pool(&self) -> Option<&Pool> {
        match &self.model {
            RunningModel::Pool(pool) => Some(pool),
            RunningModel::Bm25(_) => None,
        }
    }

    /// The part of a footprint that depends on the model.
    pub fn setting(&self) -> Setting {
        let info = self.info();
        let (host, version) = ("mteb-host".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let mut setting = Setting {
            weights: None,
            parameters: info.parameters,
            embedding_bytes: if info.rows.is_dense() { 4 * info.dimension } else { 0 },
            device: info.device.clone(),
            workers: self.pool().map(Pool::devices).unwrap_or_default(),
            libraries: vec![(host, version)],
        };
        if let Some(client) = self.pool().map(Pool::first) {
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

    /// The cache, if there is one and texts may be encoded before a unit requests them.
    pub(super) fn cache_for_ahead(&mut self) -> Option<&mut EmbeddingCache> {
        self.cache.as_mut().filter(|_| self.may_encode_ahead)
    }

    /// From now on, texts are encoded for the unit that requests them, and failures are attributed
    /// to that unit.
    pub(super) fn never_encode_ahead(&mut self) {
        self.may_encode_ahead = false;
    }

    /// Runs `work` without restarting workers, even if the current unit still has a restart left.
    pub(super) fn without_restart<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = match &mut self.model {
            RunningModel::Pool(pool) => pool.take_restarts(),
            RunningModel::Bm25(_) => Vec::new(),
        };
        let result = work(self);
        if let RunningModel::Pool(pool) = &mut self.model {
            pool.give_restarts(&before);
        }
        result
    }

    /// Asks the workers for the batches of a plan.
    pub(super) fn ask<R: Send>(
        &mut self,
        request: &BatchRequest<R>,
        answers: &mut dyn Answers<R>,
    ) -> Result<(), EncodeError> {
        let begin = Instant::now();
        let result = self.model.pool()?.ask(request, answers);
        self.occupation.add(begin, Instant::now());
        result
    }
}

impl RunningModel {
    /// The workers.
    ///
    /// # Errors
    /// If there are none.
    pub fn pool(&mut self) -> Result<&mut Pool, WorkerError> {
        match self {
            Self::Pool(pool) => Ok(pool),
            Self::Bm25(bm25) => Err(WorkerError::RanksOnly(bm25.info().identity.name.clone())),
        }
    }
}

/// The embeddings so far. Once they reach the memory limit, no more are stored.
#[derive(Debug)]
pub struct MemoizedEmbeddings {
    rows: Option<Embeddings>,
    places: HashMap<Key, u32>,
    limit: u64,
}

impl MemoizedEmbeddings {
    /// Nothing yet, and at most `limit` bytes.
    pub fn new(limit: ByteSize) -> Self {
        Self { rows: None, places: HashMap::new(), limit: limit.0 }
    }

    /// The place of a text among [`Self::select`]'s.
    pub fn place(&self, key: &Key) -> Option<usize> {
        self.places.get(key).map(|&place| place as usize)
    }

    /// The embeddings at `places`; `None` if there are none at all.
    pub fn select(&self, places: &[usize]) -> Option<Embeddings> {
        self.rows.as_ref().map(|rows| rows.select(places))
    }

    /// Keeps the embeddings of the texts with these keys.
    pub fn keep(&mut self, keys: impl Iterator<Item = Key>, found: &Embeddings) {
        let bytes = self.rows.as_ref().map_or(0, Embeddings::bytes) + found.bytes();
        if bytes as u64 > self.limit {
            return;
        }
        let rows = self.rows.get_or_insert_with(|| found.none());
        let begin = rows.len();
        rows.append(found);
        self.places.extend(keys.enumerate().map(|(row, key)| (key, (begin + row) as u32)));
    }
}
