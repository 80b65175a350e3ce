//! Runs batches on all threads, or on a GPU.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tch::{Device, Kind};

use crate::error::TorchError;
use crate::packed::{Packed, batches};
use crate::replica::{Loaded, Replica};
use crate::tokenizer::Tokens;
use crate::weights::MappedFile;

/// Tokens that one thread works on at a time on a CPU: more, and the working set leaves the cache.
const CPU_TOKENS: usize = 896;
/// Tokens in a batch on a GPU.
const CUDA_TOKENS: usize = 32_768;
/// Threads that feed a GPU: while one waits for the result, another copies the next batch.
const CUDA_WORKERS: usize = 2;

/// Replicas of a model, and how they share the work.
pub struct Engine {
    replicas: Vec<Mutex<Replica>>,
    device: Device,
    /// Threads of the processor for all replicas together.
    threads: usize,
    /// Tokens in a batch; halved when memory runs out.
    budget: AtomicUsize,
    width: usize,
    /// The files of which weights are pages; they go after the replicas.
    _mapped: Vec<MappedFile>,
}

impl Engine {
    /// Threads of the processor for a model that may have `threads`; 0 means as many as affinity and quota leave room for.
    pub fn threads(threads: usize) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if threads == 0 { all() } else { threads }
    }

    /// Makes the replicas; `threads` are those of [`Self::threads`].
    ///
    /// # Errors
    /// If the weights do not fit the architecture.
    pub fn new(loaded: &Loaded<'_>, device: Device, threads: usize) -> Result<Self, TorchError> {
        let count = if device.is_cuda() { CUDA_WORKERS } else { threads };
        let replicas: Vec<Replica> =
            (0..count).map(|_| loaded.replica()).collect::<Result<_, TorchError>>()?;
        Ok(Self {
            width: replicas.first().map_or(0, |replica| usize::try_from(replica.width()).unwrap_or(0)),
            replicas: replicas.into_iter().map(Mutex::new).collect(),
            device,
            threads,
            budget: AtomicUsize::new(if device.is_cuda() { CUDA_TOKENS } else { CPU_TOKENS }),
            _mapped: loaded.mapped(),
        })
    }

    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Fills `out` with the rows of `texts`, `texts × width`; `skip` tokens at the start of each belong to a prompt
    /// that pooling leaves out.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn rows(&self, texts: &[Tokens], skip: usize, out: &mut [f32]) -> Result<(), TorchError> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
        let waiting: VecDeque<Vec<usize>> = batches(&lengths, self.budget.load(Ordering::Relaxed)).into();
        let workers = self.replicas.len().min(waiting.len());
        let work = Work { texts, skip, waiting: Mutex::new(waiting), finished: Mutex::default() };
        std::thread::scope(|scope| {
            let threads: Vec<_> = self.replicas[..workers]
                .iter()
                .map(|replica| scope.spawn(|| self.work_off(&work, replica, workers)))
                .collect();
            threads.into_iter().try_for_each(|thread| {
                let panicked = || TorchError::Torch("a thread of the encoder panicked".to_owned());
                thread.join().unwrap_or_else(|_| Err(panicked()))
            })
        })?;
        for (batch, rows) in work.finished.into_inner().unwrap_or_else(PoisonError::into_inner) {
            for (&text, row) in batch.iter().zip(rows.chunks_exact(self.width)) {
                out[text * self.width..(text + 1) * self.width].copy_from_slice(row);
            }
        }
        Ok(())
    }

    fn work_off(&self, work: &Work<'_>, replica: &Mutex<Replica>, workers: usize) -> Result<(), TorchError> {
        let replica = lock(replica);
        let threads = (self.threads / workers.max(1)).max(1);
        tch::set_num_threads(i32::try_from(threads).unwrap_or(1));
        let _guard = tch::no_grad_guard();
        loop {
            let Some(batch) = lock(&work.waiting).pop_front() else { return Ok(()) };
            match self.encode(&replica, &batch, work) {
                Ok(rows) => lock(&work.finished).push((batch, rows)),
                Err(TorchError::Memory(_)) if batch.len() > 1 => {
                    let tokens: usize = batch.iter().map(|&text| work.texts[text].ids.len()).sum();
                    self.budget.fetch_min((tokens / 2).max(1), Ordering::Relaxed);
                    eprintln!("memory ran out with {tokens} tokens at a time; the batch is halved");
                    let (left, right) = batch.split_at(batch.len() / 2);
                    let mut waiting = lock(&work.waiting);
                    waiting.push_front(right.to_vec());
                    waiting.push_front(left.to_vec());
                }
                Err(error) => {
                    lock(&work.waiting).clear();
                    return Err(error);
                }
            }
        }
    }

    fn encode(&self, replica: &Replica, batch: &[usize], work: &Work<'_>) -> Result<Vec<f32>, TorchError> {
        let texts: Vec<&Tokens> = batch.iter().map(|&text| &work.texts[text]).collect();
        let packed = Packed::new(&texts, work.skip, self.device)?;
        let rows = replica.rows(&packed)?;
        let rows = rows.f_to_kind(Kind::Float)?.f_to_device(Device::Cpu)?.f_contiguous()?;
        let mut values = vec![0.0; texts.len() * self.width];
        let count = values.len();
        rows.f_copy_data(&mut values, count)?;
        Ok(values)
    }
}

/// What the threads of one call share.
struct Work<'a> {
    texts: &'a [Tokens],
    skip: usize,
    waiting: Mutex<VecDeque<Vec<usize>>>,
    finished: Mutex<Vec<(Vec<usize>, Vec<f32>)>>,
}

/// A poisoned lock means that another thread panicked, which is reported where that thread is joined.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
