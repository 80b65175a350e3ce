//! How fast and how large a model is, as figure 4 of the MTEB paper (Muennighoff et al. 2023) has it: texts of one task in batches
//! of 32, after a pass that warms up.

use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;
use std::time::Instant;

use mteb_base::threads::stack;
use mteb_models::encode::prompt_for;
use mteb_plugin_api::v1::Role;
use mteb_registry::TaskEntry;
use mteb_results::footprint::{Gpus, Weights, device_name, weights_of};
use mteb_source::DataSources;
use mteb_tasks::{TaskState, evaluator};
use mteb_workers::plugins::{ModelClient, WorkerError};

use crate::run::UnitError;

/// How a model is measured.
#[derive(Clone, Copy, Debug)]
pub struct TimingSettings {
    /// Texts in a batch.
    pub batch: usize,
    /// Passes that are timed.
    pub repeats: usize,
    /// Texts that are encoded one at a time.
    pub singles: usize,
}

/// The texts of a unit, and the prompt that the model puts before them.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The task.
    pub task: String,
    /// The texts, as the evaluator asks for them.
    pub texts: Vec<String>,
}

/// What a model came to.
#[derive(Clone, Debug)]
pub struct Efficiency {
    /// Texts a second of each timed pass.
    pub texts_per_second: Vec<f64>,
    /// Milliseconds of each single text, ascending.
    pub latencies: Vec<f64>,
    /// How many workers shared the batches.
    pub workers: usize,
    /// Bytes of an embedding.
    pub embedding_bytes: u32,
    /// Peak resident memory of the workers in bytes, summed, if the kernel says.
    pub memory: Option<u64>,
    /// Bytes on the graphics cards at the end, if the model computes on one whose driver tells.
    pub gpu_memory: Option<u64>,
    /// What the model's files hold, if it has some.
    pub weights: Option<Weights>,
    /// Where the model computes, and its maker's name for that.
    pub device: Option<String>,
    /// Its name.
    pub device_name: Option<String>,
}

/// Reads the texts of a unit.
///
/// # Errors
/// What is wrong with the data.
pub fn sample(
    entry: &TaskEntry,
    (split, subset): (&str, &str),
    sources: &mut DataSources,
) -> Result<Sample, UnitError> {
    let (unit, corpus, _) = sources.read(entry, split, subset)?;
    let evaluator = evaluator(entry.card.task_type);
    let (options, mut state) = (&entry.card.protocol, TaskState::new());
    let plan = match corpus {
        Some(corpus) => evaluator.plan_streamed(unit, Box::new(corpus), options, &mut state),
        None => evaluator.plan(unit, options, &mut state),
    }?;
    let texts =
        plan.columns().into_iter().flat_map(|column| column.texts.iter().map(str::to_owned)).collect();
    Ok(Sample { task: entry.card.name.clone(), texts })
}

/// Encodes `sample` again and again; the longest texts first, as sentence-transformers does. Several workers of the model take the
/// batches, whoever is free the next one; single texts go to the first.
///
/// # Errors
/// If the model fails, or there is none.
pub fn measure(
    workers: &mut [ModelClient],
    entry: &TaskEntry,
    sample: &Sample,
    measuring: TimingSettings,
) -> Result<Efficiency, WorkerError> {
    let Some(model) = workers.first() else {
        return Err(WorkerError::NoWorker);
    };
    let prompt = prompt_for(&model.info().prompts, &entry.card, None);
    let mut texts: Vec<&str> = sample.texts.iter().map(String::as_str).collect();
    let singles: Vec<&str> = texts.iter().copied().cycle().take(measuring.singles).collect();
    texts.sort_by_key(|text| Reverse(text.chars().count()));
    let batches: Vec<&[&str]> = texts.chunks(measuring.batch.max(1)).collect();
    pass(workers, &batches, &prompt)?;
    let mut texts_per_second = Vec::with_capacity(measuring.repeats);
    for _ in 0..measuring.repeats {
        texts_per_second.push(texts.len() as f64 / pass(workers, &batches, &prompt)?);
    }
    let mut latencies = Vec::with_capacity(singles.len());
    for text in singles {
        let begin = Instant::now();
        workers[0].encode(&[text], Role::None, &prompt)?;
        latencies.push(1000.0 * begin.elapsed().as_secs_f64());
    }
    latencies.sort_by(f64::total_cmp);
    let processes: Vec<u32> = workers.iter().filter_map(ModelClient::process).collect();
    let devices = workers.iter().map(|worker| worker.info().device.as_deref().unwrap_or_default());
    let peak = |process: &u32| mteb_system::process::peak_memory(Some(*process));
    let (model, info) = (&workers[0], workers[0].info());
    Ok(Efficiency {
        texts_per_second,
        latencies,
        workers: workers.len(),
        embedding_bytes: 4 * info.dimension,
        gpu_memory: Gpus::from_now(devices).memory(&processes),
        memory: processes.iter().map(peak).sum(),
        weights: model.config().folder.as_deref().and_then(|folder| weights_of(folder.as_ref())),
        device: info.device.clone(),
        device_name: device_name(info.device.as_deref()),
    })
}

/// Encodes all batches once; gives the seconds.
fn pass(workers: &mut [ModelClient], batches: &[&[&str]], prompt: &str) -> Result<f64, WorkerError> {
    let (begin, next) = (Instant::now(), AtomicUsize::new(0));
    let work = |worker: &mut ModelClient| -> Result<(), WorkerError> {
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            worker.encode(batch, Role::None, prompt)?;
        }
        Ok(())
    };
    let Some((first, others)) = workers.split_first_mut() else { return Ok(0.0) };
    std::thread::scope(|scope| {
        let start = |worker| {
            let builder = Builder::new().stack_size(stack()).name("efficiency".to_owned());
            builder.spawn_scoped(scope, || work(worker))
        };
        // Batches of a worker that got no thread are taken by the others.
        let threads: Vec<_> = others.iter_mut().flat_map(start).collect();
        let own = work(first);
        let found =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        std::iter::once(own).chain(found).collect::<Result<(), _>>()
    })?;
    Ok(begin.elapsed().as_secs_f64())
}

impl Efficiency {
    /// The value below which a share of `ascending` lies; by the nearest rank.
    pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
        let rank = (share * ascending.len() as f64).ceil() as usize;
        ascending.get(rank.max(1) - 1).copied()
    }

    /// Median, lowest and highest number of texts a second.
    pub fn speed(&self) -> Option<[f64; 3]> {
        let mut sorted = self.texts_per_second.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = match sorted.len() {
            0 => return None,
            count if count % 2 == 0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
            _ => sorted[middle],
        };
        Some([median, sorted[0], sorted[sorted.len() - 1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_between_the_slowest_and_the_fastest_pass() {
        let found = |passes: &[f64]| {
            let nothing = Efficiency {
                texts_per_second: passes.to_vec(),
                latencies: Vec::new(),
                workers: 1,
                embedding_bytes: 0,
                memory: None,
                gpu_memory: None,
                weights: None,
                device: None,
                device_name: None,
            };
            nothing.speed()
        };
        assert_eq!(found(&[30.0, 10.0, 20.0]), Some([20.0, 10.0, 30.0]));
        assert_eq!(found(&[30.0, 10.0]), Some([20.0, 10.0, 30.0]));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(Efficiency::quantile(&values, 0.5), Some(10.0));
        assert_eq!(Efficiency::quantile(&values, 0.95), Some(19.0));
        assert_eq!(Efficiency::quantile(&[], 0.5), None);
    }
}
