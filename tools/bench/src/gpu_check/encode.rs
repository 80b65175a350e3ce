//! Our side: opens the plugin as the host's worker does, and answers each job with a line of JSON. A process of its own, so that
//! what it holds and how it ends is its own.

use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use mteb_plugin_api::v1::{Library, ModelConfig, ModelHandle, Role};
use mteb_system::process::{bounded_memory, own_peak_memory, processor_time};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::rows::{Answer, Job};

/// Answers the jobs of the list in `file`.
///
/// # Errors
/// If the list cannot be read; a job that fails says so in its answer.
pub fn encode(file: &str) -> Result<(), String> {
    let begin = Instant::now();
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let jobs: Vec<Job> = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let mut opened: Option<(Job, ModelHandle, f64)> = None;
    for job in jobs {
        if !opened.as_ref().is_some_and(|(other, ..)| other.shares_model(&job)) {
            // The model before goes first: two may not fit into the memory.
            drop(opened.take());
        }
        let answer = match &opened {
            Some((_, model, open)) => answer(&job, model, *open, begin),
            None => open(&job).and_then(|(model, seconds)| {
                let answer = answer(&job, &model, seconds, begin);
                opened = Some((job.clone(), model, seconds));
                answer
            }),
        };
        let answer = answer.unwrap_or_else(|error| Answer { error: Some(error), ..Answer::default() });
        let line = serde_json::to_string(&Answer { id: job.id, ..answer });
        println!("{}", line.map_err(|error| error.to_string())?);
    }
    Ok(())
}

fn open(job: &Job) -> Result<(ModelHandle, f64), String> {
    // Neither side counts the time in which libtorch itself is loaded.
    let library = Library::open(&job.plugin).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let folder = job.folder.to_string_lossy().into_owned();
    let config = ModelConfig {
        name: folder.clone(),
        folder: Some(folder),
        device: job.device.clone(),
        dtype: job.dtype.clone(),
        threads: job.threads,
        ..ModelConfig::default()
    };
    let model = library.new_model(&config).map_err(|error| error.message)?;
    Ok((model, begin.elapsed().as_secs_f64()))
}

fn answer(job: &Job, model: &ModelHandle, open: f64, start: Instant) -> Result<Answer, String> {
    let text = fs::read_to_string(&job.texts).map_err(|error| format!("{}: {error}", job.texts.display()))?;
    let mut texts: Vec<String> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if job.count > 0 {
        texts.truncate(job.count);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let info = model.info().map_err(|error| error.message)?;
    let width = if job.pairs.is_some() { 1 } else { info.dimension as usize };
    let compute = |count: usize| -> Result<Vec<f32>, String> {
        let mut out = vec![f32::NAN; count * width];
        let done = if job.pairs.is_some() {
            let next: Vec<&str> = texts.iter().cycle().skip(1).take(count).copied().collect();
            model.predict(&texts[..count], &next, "", &mut out)
        } else {
            model.encode(&texts[..count], Role::None, "", &mut out)
        };
        done.map(|()| out).map_err(|error| error.message)
    };
    let mut answer = Answer { open, width, device: info.device, ..Answer::default() };
    let begin = Instant::now();
    compute(1)?;
    (answer.first, answer.since_start) = (begin.elapsed().as_secs_f64(), start.elapsed().as_secs_f64());
    if job.times > 0 {
        time(job, &mut answer, texts.len(), &compute)?;
    }
    if let Some(spare) = job.spare_memory {
        bound_memory(spare);
    }
    if let Some(path) = &job.rows {
        write(path, &compute(texts.len())?)?;
    }
    answer.peak = own_peak_memory(None);
    Ok(answer)
}

fn time(
    job: &Job,
    answer: &mut Answer,
    count: usize,
    compute: &dyn Fn(usize) -> Result<Vec<f32>, String>,
) -> Result<(), String> {
    // The first texts fill caches and pools of memory.
    compute(count.min(256))?;
    let (spent, begun) = (processor_seconds(), now());
    for _ in 0..job.times {
        let begin = Instant::now();
        compute(count)?;
        answer.seconds.push(begin.elapsed().as_secs_f64());
    }
    answer.rounds = Some([begun, now()]);
    let threads = if job.threads == 0 {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        job.threads
    };
    let clock: f64 = answer.seconds.iter().sum();
    answer.processor_share = Some((processor_seconds() - spent) / (clock * threads as f64));
    Ok(())
}

/// Refuses this process more than `spare` bytes beside what it has.
fn bound_memory(spare: u64) {
    let limit = Some(bounded_memory().unwrap_or(0) + spare);
    let _ = setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit });
}

#[allow(clippy::disallowed_methods, reason = "samples of another process are told apart by the wall clock")]
fn now() -> f64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64())
}

/// Seconds that all threads of this process spent on the processor, in steps of 10 ms.
fn processor_seconds() -> f64 {
    processor_time(None).unwrap_or_default().as_secs_f64()
}

fn write(path: &Path, rows: &[f32]) -> Result<(), String> {
    let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
