//! A run: one stage reads and plans, one encodes, one scores. Every scored unit is on disk before
//! the next one is scored.

pub(crate) mod aggregate;
pub(crate) mod error;
mod expected;
mod freshness;
pub(crate) mod given;
pub(crate) mod group;
mod options;
mod outcome;
mod part;
pub(crate) mod plan_unit;
pub(crate) mod ranges_file;
mod reader;
mod restore_superseded;
pub(crate) mod score_unit;
mod scored_again;
mod scorer;
mod searched;
mod task_scorer;
pub(crate) mod unknown_results;

pub use error::UnitError;
pub use expected::{Comparison, compare};
pub use given::{GivenModel, GivenScores, keep_scores, score_rankings};
pub use mteb_results::identity::Measures;
pub use mteb_results::{FirstStage, KeepFiles};
pub use options::{Draws, Overwrite, RunOptions};
pub use outcome::{RunReport, TaskReport, UnitOutcome, UnitReport};
pub use part::{RunPart, by_dataset};

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

use mteb_base::interrupt;
use mteb_base::threads::stack;
use mteb_json::Json;
use mteb_models::encode::{Encoder, RowsAhead, Watch, encode_ahead, lock};
use mteb_plugin_api::ModelInfo;
use mteb_registry::Selected;
use mteb_results::{CompanionFiles, ResultStore, model_meta, similarity_name};
use mteb_source::DataSources;

use crate::Observer;
use group::{Group, TaskJob};
use options::RunContext;
use reader::UnitReader;
use scorer::Scorer;

/// Scores `tasks` with the model of `encoder`; the report has them in the order given.
///
/// Three stages run in parallel: one reads data and plans units, one encodes their texts, one
/// scores. If a unit fails, it is reported and the others continue, unless the options say
/// otherwise.
///
/// # Errors
/// If the results folder cannot be written, or no thread can be started.
pub fn run(
    tasks: &[Selected],
    encoder: &Mutex<Encoder>,
    sources: &mut DataSources,
    options: &RunOptions,
    observer: &dyn Observer,
) -> std::io::Result<RunReport> {
    let (info, host, ranks, mut setting) = {
        let encoder = lock(encoder);
        let mut info = options.compression.of(encoder.info().clone());
        if let Some(first) = &options.first_stage {
            info = first.of(info);
        }
        (info, identity(&encoder, options), encoder.ranks(), encoder.setting())
    };
    setting.embedding_bytes = options.compression.bytes(&info);
    let store = match options.limit {
        Some(_) => ResultStore::of_nothing(&options.output_folder, &info),
        None => ResultStore::new(&options.output_folder, &info),
    };
    if let Some(note) = store.write_meta(&model_meta(&info))? {
        observer.warn(&note);
    }
    let mut report = RunReport::new(&info, store.folder().to_owned());
    let part = options.part.as_deref();
    let jobs = jobs(tasks, part);
    observer.workers(lock(encoder).speeds());
    observer.begin_run(jobs.iter().map(|job| part::own_units(part, &job.task).len()).sum());
    let kept = CompanionFiles::new(store.folder());
    let context = RunContext { kept, info, store, host, options, ranks, setting };
    let ended = AtomicBool::new(false);
    report.tasks = std::thread::scope(|scope| {
        let (read, to_encode) = sync_channel(0);
        let (encoded, to_score) = sync_channel(0);
        let (context, jobs, ended) = (&context, &jobs, &ended);
        let begin_reader = || UnitReader::new(context, sources, observer, read).read(jobs);
        Builder::new().stack_size(stack()).name("reader".to_owned()).spawn_scoped(scope, begin_reader)?;
        let scorer =
            Builder::new().stack_size(stack()).name("scorer".to_owned()).spawn_scoped(scope, move || {
                let reports = Scorer::new(context, encoder, observer, tasks).score(to_score);
                ended.store(true, Ordering::Relaxed);
                reports
            })?;
        let stop = || interrupt::requested() || ended.load(Ordering::Relaxed);
        for group in to_encode {
            let ahead = encode_group(&group, &context.info, encoder, observer, &stop);
            if encoded.send((group, ahead)).is_err() {
                break;
            }
        }
        drop(encoded);
        std::io::Result::Ok(scorer.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    (report.occupation, report.workers) = {
        let encoder = lock(encoder);
        (encoder.occupation(), encoder.speeds().now())
    };
    report.interrupted = interrupt::requested();
    observer.end_run();
    Ok(report)
}

fn encode_group(
    group: &Group,
    info: &ModelInfo,
    encoder: &Mutex<Encoder>,
    observer: &dyn Observer,
    stop: &dyn Fn() -> bool,
) -> RowsAhead {
    // Nothing is encoded ahead for a model that only ranks, because it has no cache.
    let asked = group.asked(&info.prompts);
    if asked.is_empty() {
        return RowsAhead::default();
    }
    let watch = Watch { texts: &|texts| observer.texts(texts), stop };
    encode_ahead(&mut lock(encoder), &asked, group.steps.len(), &watch)
}

/// The tasks with data that have units to score, in the order in which they run.
fn jobs(tasks: &[Selected], part: Option<&RunPart>) -> Vec<TaskJob> {
    let mut jobs = Vec::new();
    for number in by_dataset(tasks) {
        let mut members = tasks[number].with_data();
        members.retain(|task| part.is_none_or(|part| part.has_of(&task.entry.card.name)));
        let last = members.len().saturating_sub(1);
        let member = |(index, task)| TaskJob { number, task, is_last: index == last };
        jobs.extend(members.into_iter().enumerate().map(member));
    }
    jobs
}

/// The identity of the model and of the program that scored it; stored in every result.
fn identity(encoder: &Encoder, options: &RunOptions) -> Json {
    let compression = options.compression;
    let mut model = encoder.facts();
    if let Some(first) = &options.first_stage {
        model.set("first_stage", first.facts());
    }
    if let Some(facts) = compression.facts(encoder.info()) {
        let made = compression.of(encoder.info().clone());
        model.set("dimension", Json::Int(i64::from(made.dimension)));
        model.set("similarity", Json::from(similarity_name(made.similarity.unwrap_or_default())));
        model.set("compression", facts);
    }
    Json::object([("version", Json::from(env!("CARGO_PKG_VERSION"))), ("model", model)])
}
