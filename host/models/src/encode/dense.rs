//! Encodes with models whose embeddings have a fixed width: batches of similar length, rows to their places.

use mteb_cache::{EmbeddingCache, Key};
use mteb_workers::plugins::ModelClient;

use super::batches::Batches;
use super::error::check_finite;
use super::job::{EncodeJob, interface_role};
use super::pool::{Answers, BatchRequest};
use super::{EncodeError, Encoder};

impl Encoder {
    /// Encodes what `jobs` miss of distinct `texts` into its rows of `out`, one row per text. Each job has batches of its own, and the
    /// workers are asked for all of them in one go. `done` hears of the texts of every finished batch, and says whether to go on.
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
}

/// Where rows go.
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

    /// Gives the rows to the cache, too.
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
