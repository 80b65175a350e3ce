//! `mteb-host efficiency`: measures how fast and how large models are.

use std::time::Instant;

use clap::Args;
use mteb_engine::efficiency::{Efficiency, Sample, TimingSettings, measure, sample};
use mteb_engine::run::UnitError;
use mteb_models::model::ModelChoice;
use mteb_registry::{Selected, TaskEntry};
use mteb_report::output::rows_grid;
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};

use super::arguments::{
    DtypeName, FilterArgs, FormatArgs, PlaceArgs, WorkerArgs, device, parse_whole, start_encoders,
};
use super::discover::{discover, say_refusals};
use crate::exit::Exit;
use crate::output;
use crate::view::{cell, right, table, text};

/// The task whose texts the paper encodes.
const PAPER: &str = "STS15";

/// One whose texts are part of the project.
const BUNDLED: &str = "IndonesianGeneralSTS";

/// Arguments of `efficiency`.
#[derive(Args, Debug)]
pub struct EfficiencyArgs {
    /// Models: names provided by a plugin, hub ids, or model folders.
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<String>,
    /// Name of the model in the output, for a model folder [default: `local/` and the folder's
    /// name].
    #[arg(long, value_name = "ORGANISATION/MODEL")]
    name: Option<String>,
    /// Revision of a hub model; for a model folder, the revision shown in the output.
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// Task whose texts to encode, from its first split and subset [default: STS15, or
    /// IndonesianGeneralSTS if the data of STS15 is not available].
    #[arg(long, value_name = "NAME[:subset]")]
    task: Option<String>,
    /// Registry name, registry file or task card [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format in which the models compute.
    #[arg(long, default_value = "auto")]
    dtype: DtypeName,
    /// Number of texts per batch.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = parse_whole::<u32>(1, None))]
    batch_size: u32,
    /// Number of timed passes over all texts, after a warm-up pass.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = parse_whole::<u32>(1, None))]
    repeat: u32,
    /// Number of texts to encode one at a time.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_whole::<u32>(1, None))]
    singles: u32,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl EfficiencyArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        if self.models.len() > 1 && (self.name.is_some() || self.revision.is_some()) {
            return Err(output::usage(format!(
                "expected one model for `--name` and `--revision`, found {}; measure it alone",
                self.models.len()
            )));
        }
        let devices = self.workers.devices(&self.device)?;
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let mut sources = DataSources::new(settings.clone(), &catalog);
        let (entry, sample) = self.sample(&catalog, &mut sources)?;
        let mut rows = Vec::with_capacity(self.models.len());
        for model in &self.models {
            rows.push(self.measure((model, &devices), &catalog, &settings, (&entry, &sample))?);
        }
        let answer = || {
            json!({
                "task": sample.task,
                "texts": sample.texts.len(),
                "batch_size": self.batch_size,
                "repeats": self.repeat,
                "processors": std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
                "models": rows.iter().map(json_of).collect::<Vec<Value>>(),
            })
        };
        if let Some(exit) = self.format.print(answer, |answer| rows_grid(&[], &answer["models"])) {
            return Ok(exit);
        }
        let printed = output::print_table(&efficiency_table(&rows));
        output::say(format!(
            "{} texts of {} in batches of {} by {}, {} passes after a warm-up; latency is that of a single text",
            sample.texts.len(),
            sample.task,
            self.batch_size,
            output::count(rows.iter().map(|row| row.found.workers).max().unwrap_or(1), "worker"),
            self.repeat
        ));
        Ok(printed)
    }

    /// The texts to encode, and the task that they are of.
    fn sample(&self, catalog: &Catalog, sources: &mut DataSources) -> Result<(TaskEntry, Sample), Exit> {
        let mut read = |name: &str| -> Result<Result<(TaskEntry, Sample), NoSample>, Exit> {
            let filter = FilterArgs {
                registry: self.registry.clone(),
                task: vec![name.to_owned()],
                ..FilterArgs::default()
            };
            let registries = filter.registries(catalog)?;
            let tasks = filter.select(&registries)?;
            let with_data: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
            let Some(task) = with_data.first() else {
                return Ok(Err(NoSample::NoData { task: name.to_owned() }));
            };
            let Some(unit) = task.units().next() else {
                return Ok(Err(NoSample::NoSplit { task: name.to_owned() }));
            };
            let read = sample(&task.entry, unit, sources)
                .map_err(|source| NoSample::Unread { task: name.to_owned(), source: Box::new(source) });
            Ok(read.map(|sample| (TaskEntry::clone(&task.entry), sample)))
        };
        let wanted = self.task.as_deref().unwrap_or(PAPER);
        let found = match read(wanted)? {
            Err(error) if self.task.is_none() => {
                output::say(format!("{error}; the texts of {BUNDLED} are encoded instead"));
                read(BUNDLED)?
            }
            found => found,
        };
        match found {
            Ok((_, sample)) if sample.texts.is_empty() => {
                Err(output::failed(format!("{}: expected texts, found none", sample.task)))
            }
            Ok(found) => Ok(found),
            Err(error) => Err(output::failed(error)),
        }
    }

    fn measure(
        &self,
        (name, devices): (&str, &[String]),
        catalog: &Catalog,
        settings: &Settings,
        (entry, sample): (&TaskEntry, &Sample),
    ) -> Result<EfficiencyRow, Exit> {
        let choice = ModelChoice {
            called: self.name.clone(),
            revision: self.revision.clone(),
            device: self.device.clone(),
            dtype: self.dtype.dtype(),
            ..ModelChoice::new(name)
        };
        let begin = Instant::now();
        let mut workers = start_encoders(&choice, devices, catalog, settings)?;
        let load_seconds = begin.elapsed().as_secs_f64();
        let measuring = TimingSettings {
            batch: self.batch_size as usize,
            repeats: self.repeat as usize,
            singles: self.singles as usize,
        };
        let found = measure(&mut workers, entry, sample, measuring)
            .map_err(|error| output::failed(format!("model {name}: {error}")))?;
        let identity = &workers[0].info().identity;
        Ok(EfficiencyRow {
            model: identity.name.clone(),
            revision: identity.revision.clone(),
            load_seconds,
            found,
        })
    }
}

/// Why a task has no texts to encode.
#[derive(Debug, thiserror::Error)]
enum NoSample {
    /// It has none of its own.
    #[error("{task}: expected a task with data, found none")]
    NoData {
        /// The task.
        task: String,
    },
    /// It has nothing to score.
    #[error("{task}: expected a split, found none")]
    NoSplit {
        /// The task.
        task: String,
    },
    /// Its data cannot be read.
    #[error("{task}: {source}")]
    Unread {
        /// The task.
        task: String,
        /// Why not.
        source: Box<UnitError>,
    },
}

fn json_of(row: &EfficiencyRow) -> Value {
    let EfficiencyRow { model, revision, load_seconds, found } = row;
    let [median, low, high] = found.speed().unwrap_or_default();
    let latency = |share| Efficiency::quantile(&found.latencies, share);
    json!({
        "model": model,
        "revision": revision,
        "workers": found.workers,
        "load_seconds": load_seconds,
        "texts_per_second": {"median": median, "lowest": low, "highest": high, "passes": found.texts_per_second},
        "latency_ms": {"p50": latency(0.5), "p95": latency(0.95)},
        "embedding_kb": f64::from(found.embedding_bytes) / 1000.0,
        "embedding_bytes": found.embedding_bytes,
        "memory_mb": found.memory.map(|bytes| bytes as f64 / 1_048_576.0),
        "gpu_memory_mb": found.gpu_memory.map(|bytes| bytes as f64 / 1_048_576.0),
        "parameters": found.weights.map(|weights| weights.parameters),
        "weight_bytes": found.weights.map(|weights| weights.bytes),
        "device": found.device,
        "device_name": found.device_name,
    })
}

/// A model that was measured.
struct EfficiencyRow {
    /// Its name.
    pub model: String,
    /// Its revision.
    pub revision: String,
    /// Seconds until it was ready.
    pub load_seconds: f64,
    /// What it came to.
    pub found: Efficiency,
}

/// A row a model; the spread of speeds is that of the passes.
fn efficiency_table(rows: &[EfficiencyRow]) -> String {
    let mut table = table([
        "Model",
        "Texts per second (lowest – highest)",
        "Latency p50, ms",
        "p95, ms",
        "kB per embedding",
        "Load, s",
        "Peak memory, MB",
        "Device",
    ]);
    for EfficiencyRow { model, load_seconds, found, .. } in rows {
        let [median, low, high] = found.speed().unwrap_or_default();
        let latency = |share| {
            Efficiency::quantile(&found.latencies, share)
                .map_or_else(|| "–".to_owned(), |found| format!("{found:.2}"))
        };
        let memory =
            found.memory.map_or_else(|| "–".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1_048_576.0));
        let device = found.device_name.as_deref().or(found.device.as_deref()).unwrap_or("–");
        table.add_row([
            cell(model),
            right(format!("{median:.1} ({low:.1} – {high:.1})")),
            right(latency(0.5)),
            right(latency(0.95)),
            right(format!("{:.2}", f64::from(found.embedding_bytes) / 1000.0)),
            right(format!("{load_seconds:.2}")),
            right(memory),
            cell(device),
        ]);
    }
    text(table)
}
