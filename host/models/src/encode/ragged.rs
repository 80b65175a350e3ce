//! Encodes with models whose embeddings have no fixed width: sparse rows, several vectors per text.

use std::collections::HashMap;
use std::time::Instant;

use mteb_base::byte_size::ByteSize;
use mteb_cache::Key;
use mteb_plugin_api::RowForm;
use mteb_tasks::{Embeddings, MultiVectors, Role, SparseRows};
use mteb_workers::plugins::ModelClient;

use super::batch_flow::{Batches, interface_role, role_code, unique};
use super::encoder::MemoizedEmbeddings;
use super::error::check_finite;
use super::pool::{Answers, BatchRequest};
use super::{EncodeError, Encoder};

/// What the keys of a run's own rows begin with: there is one model in a run.
const ONE_MODEL: [u8; 32] = [0; 32];

impl Encoder {
    /// Embeddings of `texts` in the form that the model has, in order; identical texts are encoded once. `progress` hears of
    /// every finished batch.
    ///
    /// # Errors
    /// If the model fails, or gives a value that is not finite.
    pub fn embed(
        &mut self,
        texts: &[&str],
        role: Option<Role>,
        prompt: &str,
        progress: &dyn Fn(u64),
    ) -> Result<Embeddings, EncodeError> {
        if self.info().rows.is_dense() {
            return self.encode(texts, role, prompt, progress).map(Embeddings::Dense);
        }
        let begin = Instant::now();
        self.counters.texts += texts.len() as u64;
        let before = (self.tokens(), self.worker_processor());
        let (unique, rows) = unique(texts);
        let keys = Key::of_texts(&ONE_MODEL, role_code(role), prompt, &unique);
        let (known, missing): (Vec<usize>, Vec<usize>) =
            (0..unique.len()).partition(|&text| self.memoized.place(&keys[text]).is_some());
        progress((texts.len() - missing.len()) as u64);
        let places: Vec<usize> = known.iter().filter_map(|&text| self.memoized.place(&keys[text])).collect();
        let mut found = self.memoized.select(&places).unwrap_or_else(|| self.no_rows());
        // The texts of `found`, in its order.
        let mut members = known;
        self.embed_missing(&unique, &missing, (role, prompt), &mut |memoized, batch, rows| {
            memoized.keep(batch.iter().map(|&text| keys[text]), &rows);
            found.append(&rows);
            members.extend_from_slice(batch);
            progress(batch.len() as u64);
        })?;
        let mut places = vec![0; unique.len()];
        members.iter().enumerate().for_each(|(place, &text)| places[text] = place);
        self.counters.encoded += missing.len() as u64;
        self.counters.from_cache += (unique.len() - missing.len()) as u64;
        self.counters.busy += begin.elapsed();
        self.counters.tokens += self.tokens() - before.0;
        self.counters.processor += self.worker_processor().saturating_sub(before.1);
        Ok(found.select(&rows.iter().map(|&text| places[text]).collect::<Vec<_>>()))
    }

    /// Encodes the texts numbered `missing`; `done` hears of the texts and rows of every finished batch.
    fn embed_missing(
        &mut self,
        texts: &[&str],
        missing: &[usize],
        (role, prompt): (Option<Role>, &str),
        done: &mut dyn FnMut(&mut MemoizedEmbeddings, &[usize], Embeddings),
    ) -> Result<(), EncodeError> {
        let mut batches = Batches::default();
        batches.extend(self.batches(&missing.iter().map(|&text| texts[text]).collect::<Vec<_>>())?, missing);
        let call_worker = |client: &mut ModelClient, _: usize, members: &[usize]| {
            let texts: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
            client.encode_rows(&texts, interface_role(role), prompt)
        };
        let request = BatchRequest {
            plan: &batches.plan,
            may_split: true,
            is_counted: true,
            call_worker: &call_worker,
        };
        let name = self.info().identity.name.clone();
        let mut memoized = std::mem::replace(&mut self.memoized, MemoizedEmbeddings::new(ByteSize(0)));
        let mut rows = RaggedRows {
            texts,
            name: &name,
            tokens: &batches.tokens,
            waiting: HashMap::new(),
            encoded: 0,
            done: &mut |members, rows| done(&mut memoized, members, rows),
        };
        let result = self.ask(&request, &mut rows);
        self.tokens += rows.encoded;
        self.memoized = memoized;
        result
    }

    fn no_rows(&self) -> Embeddings {
        let dimension = self.info().dimension as usize;
        match self.info().rows {
            RowForm::MultiVector => Embeddings::MultiVector(MultiVectors::new(dimension)),
            _ => Embeddings::Sparse(SparseRows::new(dimension)),
        }
    }
}

/// Rows that wait until the batches before them are there.
struct RaggedRows<'a> {
    texts: &'a [&'a str],
    /// The model's name.
    name: &'a str,
    tokens: &'a [u64],
    /// The answers for each batch, with their texts.
    waiting: HashMap<usize, Vec<(Vec<usize>, Embeddings)>>,
    /// Tokens of the finished batches.
    encoded: u64,
    done: &'a mut dyn FnMut(&[usize], Embeddings),
}

impl Answers<Embeddings> for RaggedRows<'_> {
    fn take(&mut self, batch: usize, members: &[usize], rows: Embeddings) -> Result<(), EncodeError> {
        for (row, &text) in members.iter().enumerate() {
            check_finite(self.name, rows.numbers(row), "embedding", self.texts[text])?;
        }
        self.waiting.entry(batch).or_default().push((members.to_vec(), rows));
        Ok(())
    }

    fn done(&mut self, batch: usize) -> bool {
        self.encoded += self.tokens[batch];
        for (members, rows) in self.waiting.remove(&batch).unwrap_or_default() {
            (self.done)(&members, rows);
        }
        true
    }
}
