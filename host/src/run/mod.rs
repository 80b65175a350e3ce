//! The run loop: task after task, unit after unit; every finished unit is on the disk before the next begins.

mod aggregate;
mod expected;
mod order;
mod outcome;
mod task;
mod unit;

pub use expected::{Comparison, compare};
pub use outcome::{RunReport, TaskReport, UnitOutcome, UnitReport};

use std::path::PathBuf;

use mteb_plugin_api::ModelInfo;

use crate::encode::Encoder;
use crate::interrupt;
use crate::registry::Selected;
use crate::report::Progress;
use crate::results::{Json, Store, model_meta, similarity_name};
use crate::source::DataSources;

/// What to do with results that are there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Overwrite {
    /// Fail where a file is there but incomplete.
    Never,
    /// Score what is missing.
    #[default]
    Missing,
    /// Score everything again.
    Always,
}

/// How a run behaves.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Folder of the result files.
    pub output_folder: PathBuf,
    /// What to do with results that are there already.
    pub overwrite: Overwrite,
    /// Stop at the first failure.
    pub fail_fast: bool,
}

/// Scores `tasks` with the model of `encoder`; the report has them in the order given.
///
/// A unit that fails is reported and the rest goes on, unless the options say otherwise.
///
/// # Errors
/// If the results folder cannot be written.
pub fn run(
    tasks: &[Selected],
    encoder: &mut Encoder,
    sources: &mut DataSources,
    options: &RunOptions,
    progress: &Progress,
) -> std::io::Result<RunReport> {
    let info = encoder.info().clone();
    let store = Store::new(&options.output_folder, &info.identity.name, &info.identity.revision);
    store.write_meta(&model_meta(&info))?;
    let host = identity(encoder, &info);
    let mut report = RunReport::new(&info, store.folder().to_owned());
    progress.begin_run(tasks.iter().map(|task| task.with_data().len()).sum());
    let mut outcomes: Vec<Vec<TaskReport>> = vec![Vec::new(); tasks.len()];
    for number in order::by_dataset(tasks) {
        let task = &tasks[number];
        let mut members = Vec::new();
        for task in task.with_data() {
            progress.begin_task(&task.entry.card.name);
            let selected = &task;
            let (store, host) = (&store, &host);
            let outcome = task::TaskJob { selected, encoder, sources, store, host, options, progress }.run();
            if interrupt::requested() {
                report.tasks.extend((!outcome.units.is_empty()).then_some(outcome));
                progress.end_run();
                return Ok(report);
            }
            progress.end_task(&outcome);
            let failed = outcome.failures().next().is_some();
            members.push(outcome);
            if failed && options.fail_fast {
                break;
            }
        }
        let outcome = if task.entry.members.is_empty() {
            members
        } else {
            let combined = aggregate::combine(task, &members, &store, &host);
            vec![combined]
        };
        let failed = outcome.iter().any(|task| task.failures().next().is_some());
        outcomes[number] = outcome;
        if failed && options.fail_fast {
            break;
        }
    }
    report.tasks = outcomes.into_iter().flatten().collect();
    progress.end_run();
    Ok(report)
}

/// Who the model is and who scored it; stored in every result.
fn identity(encoder: &Encoder, info: &ModelInfo) -> Json {
    let text = |text: &str| Json::from(text);
    let map = |entries: Vec<(&str, Json)>| {
        Json::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let plugin = encoder.plugin();
    let prompts = serde_json::to_value(&info.prompts).map_or(Json::Null, Json::from);
    let model = map(vec![
        ("name", text(&info.identity.name)),
        ("revision", text(&info.identity.revision)),
        ("weights", text(&info.identity.weights)),
        ("dtype", text(&info.identity.dtype)),
        ("max_tokens", info.max_tokens.map_or(Json::Null, |tokens| Json::Int(i64::from(tokens)))),
        ("similarity", text(similarity_name(info.similarity.unwrap_or_default()))),
        ("plugin", text(&plugin.manifest.name)),
        ("plugin_version", text(&plugin.manifest.version)),
        ("prompts", prompts),
    ]);
    map(vec![("version", text(env!("CARGO_PKG_VERSION"))), ("model", model)])
}
