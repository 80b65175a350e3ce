//! `mteb-host run`: scores a model on tasks.

mod dry_run;
mod ending;
mod expected;

use std::sync::{Arc, Mutex};

use clap::builder::UnknownArgumentValueParser;
use clap::{Args, ValueEnum};
use mteb_base::byte_size::ByteSize;
use mteb_base::interrupt;
use mteb_cache::TableCache;
use mteb_engine::Observer;
use mteb_engine::run::{Overwrite, RunOptions, run};
use mteb_models::encode::{Compression, Encoder, lock};
use mteb_models::model::Listener;
use mteb_plugin_api::ModelInfo;
use mteb_source::DataSources;
use mteb_workers::settings::{Settings, TimeLimit, Waits};

use self::dry_run::dry_run;
use super::arguments::{
    Around, CacheOptionArgs, FormatArgs, JobArgs, OutputArgs, PlaceArgs, Recorded, RerankArgs, Shard,
    ShardArgs, ValueError, WorkerArgs,
};
use super::discover::{consider_refusals_of_run, discover, say_refusals};
use super::objects::address;
use super::selected::{check_locks, leave_out_what_cannot_be_ranked};
use crate::exit::Exit;
use crate::view::{BenchmarkWithin, LogLevel, Progress, Size};
use crate::{output, system};

/// Memory with which a worker can load a small plugin.
const LEAST_MEMORY: ByteSize = ByteSize(64 << 20);

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Time limit for a batch of up to 128 kB of text, and again for each further 128 kB; 0 for no
    /// limit. A plugin that takes longer is restarted once; then its unit fails. The limit also
    /// applies to loading a model and to reading part of a task pack.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    batch_timeout: u64,
    /// Memory limit for each plugin, not counting GPU memory; allocations beyond it fail (K, M, G,
    /// T: powers of 1,024) [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = worker_memory)]
    worker_memory: Option<ByteSize>,
    /// Name of this option in other commands.
    #[arg(long = "results", hide = true, value_name = "DIR",
          value_parser = UnknownArgumentValueParser::suggest_arg("--output-folder"))]
    _results: Option<String>,
    /// What to do with existing results.
    #[arg(long, default_value = "missing")]
    overwrite: OverwriteName,
    /// Keep existing results that do not record what they were computed from, e.g. from older
    /// versions or other tools, if what they do record matches this run.
    #[arg(long)]
    keep_unknown: bool,
    /// Try each task on its first N items only. Scores are shown but not saved; existing results do
    /// not change. For a retrieval task: N judged queries, all documents judged for them, and N
    /// other documents.
    #[arg(long, value_name = "N", value_parser = limit, conflicts_with_all = ["rankings", "predictions", "check_expected", "update_lock", "rerank_from"])]
    limit: Option<usize>,
    /// Score nothing; show what would be downloaded, encoded and scored, and an estimate of the
    /// time if earlier results record the model's speed.
    #[arg(long)]
    dry_run: bool,
    /// Stop at the first failure.
    #[arg(long)]
    fail_fast: bool,
    /// Record the current data files in the lock files of their registries
    /// (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    /// Compare main scores with the expected scores of this model in the task cards; fail if a
    /// difference exceeds the card's tolerance.
    #[arg(long, conflicts_with = "rerank_from")]
    check_expected: bool,
    /// Write main scores to the task cards as expected scores of this model, e.g. for the baselines
    /// of a benchmark.
    #[arg(long, conflicts_with_all = ["limit", "check_expected", "dimensions", "rerank_from"])]
    write_expected: bool,
    /// Hide progress bars and the table of scores.
    #[arg(long, conflicts_with = "verbose")]
    quiet: bool,
    /// Show more: each unit as it is scored, and the output of plugins.
    #[arg(long)]
    verbose: bool,
    /// Minimum level of plugin output to show [default: RUST_LOG, else `trace` with
    /// `--verbose` and `off` without].
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<LogLevel>,
    #[command(flatten)]
    job: Recorded<JobArgs>,
    #[command(flatten)]
    place: Recorded<PlaceArgs>,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    rerank: Recorded<RerankArgs>,
    #[command(flatten)]
    cache: CacheOptionArgs,
    #[command(flatten)]
    output: Recorded<OutputArgs>,
    #[command(flatten)]
    format: FormatArgs,
}

/// What to do with existing results.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OverwriteName {
    /// Keep them; fail if one is incomplete or stale.
    Never,
    /// Score units that are missing, or whose data, options, prompts or model have changed.
    Missing,
    /// Score everything selected again.
    Always,
}

impl OverwriteName {
    fn overwrite(self) -> Overwrite {
        match self {
            Self::Never => Overwrite::Never,
            Self::Missing => Overwrite::Missing,
            Self::Always => Overwrite::Always,
        }
    }
}

impl RunArgs {
    /// Runs the command.
    pub fn run(mut self) -> Exit {
        let given = (&self.job, &self.rerank, &self.place, &self.output);
        let shard = match self.shard.open(given) {
            Ok(Some((shard, job, rerank, place, output))) => {
                (self.job, self.rerank, self.place, self.output) = (job, rerank, place, output);
                Some(shard)
            }
            Ok(None) => None,
            Err(exit) => return exit,
        };
        if let Some(store) = address(&self.output.output_folder) {
            return output::usage(format!(
                "`--output-folder`: expected a folder, found the address {store}, to which only shards of a plan send \
                 (`--plan`)"
            ));
        }
        let exit =
            if shard.as_ref().is_some_and(Shard::is_empty) { Exit::Done } else { self.score(shard.as_ref()) };
        match shard {
            Some(shard) => shard.end(exit),
            None => exit,
        }
    }

    /// The minimum level of plugin output that is shown.
    fn log_level(&self) -> LogLevel {
        let usual = if self.verbose { LogLevel::Trace } else { LogLevel::Off };
        let of_environment = || LogLevel::read_from_environment(&std::env::var("RUST_LOG").ok()?);
        let of_environment = || of_environment().filter(|_| !self.quiet);
        self.log_level.or_else(of_environment).unwrap_or(usual)
    }

    fn settings(&self, progress: &Progress) -> Settings {
        let level = self.log_level();
        Settings {
            update_lock: self.update_lock,
            refresh_lists: matches!(self.overwrite, OverwriteName::Always),
            time_limit: TimeLimit::new(self.batch_timeout),
            waits: Waits::Batch,
            worker_memory: self.worker_memory,
            printed: (level != LogLevel::Off).then(|| progress.relay_output(level)),
            python: self.job.model.python(),
            ..self.place.settings()
        }
    }

    fn score(&self, shard: Option<&Shard>) -> Exit {
        match self.try_run(shard) {
            Ok(exit) => exit,
            Err(_) if interrupt::requested() => {
                output::say("Interrupted before a unit was scored; run the same command again");
                Exit::Interrupted
            }
            Err(exit) => exit,
        }
    }

    fn try_run(&self, shard: Option<&Shard>) -> Result<Exit, Exit> {
        if let Err(error) = system::watch_signals() {
            output::warn(format!("Ctrl-C will end the run at once: {error}"));
        }
        let devices = self.workers.devices(self.job.model.device())?;
        let progress = Progress::new(self.quiet || !self.format.is_for_people(), self.verbose);
        let progress = progress.use_lines(!self.quiet);
        let settings = self.settings(&progress);
        let catalog = discover(&settings);
        if interrupt::requested() {
            return Err(Exit::Interrupted);
        }
        say_refusals(&catalog);
        let (registries, mut tasks) = self.job.choose(&catalog, "run")?;
        check_locks(&tasks, Some(&registries).filter(|_| self.update_lock))?;
        if self.dry_run {
            self.job.model.check_name(&self.job.filter.registry, (&catalog, &settings))?;
            let named = (self.job.model.name(), self.output.output_folder.as_path());
            return Ok(dry_run(&tasks, (&settings, &catalog), named, self.format));
        }
        let around = (&catalog, &settings);
        let beginning = progress.begin(&self.job.model.describe_start());
        let (model, others) = self.job.model.start_on(
            &devices,
            &self.job.filter.registry,
            around,
            (&registries, &tasks),
            &progress,
        )?;
        drop(beginning);
        self.rerank.check(model.info(), &tasks)?;
        if (model.only_ranks() || self.rerank.has_first_stage()) && self.job.filter.task.is_empty() {
            leave_out_what_cannot_be_ranked(&mut tasks)?;
        }
        let cache_options = self.cache.options();
        let cache = model.worker().and_then(|model| cache_options.open(&settings, model));
        let encoder = Encoder::new(model, self.job.batch_tokens).with_workers(others).with_cache(cache);
        let encoder = Mutex::new(encoder.with_row_memory(cache_options.memory));
        let (tables, hashes) = (cache_options.open_tables(&settings), cache_options.open_hashes(&settings));
        let mut sources = DataSources::new(settings.clone(), &catalog).with_report(progress.downloads());
        sources = sources.with_hashes(hashes);
        if let Some(tables) = &tables {
            sources = sources.with_opener(Arc::new(tables.clone()));
        }
        let compressions = self.job.sizes.compressions();
        let info = lock(&encoder).info().clone();
        self.job.model.find_former_results(&self.output.output_folder, &info).iter().for_each(output::warn);
        check_compressions(&compressions, &info)?;
        if let Some(shard) = shard {
            let first_stage = self.rerank.read_first_stage()?;
            let model = (&lock(&encoder).facts(), first_stage.as_ref());
            shard.check(&tasks, model, &catalog, &mut sources)?;
        }
        let first_stage = self.rerank.open_first_stage(
            &tasks,
            &mut sources,
            &Around {
                settings: &settings,
                catalog: &catalog,
                registries: &self.job.filter.registry,
                cache: &self.cache,
                progress: &progress,
                options: self.options(Compression::default(), shard),
            },
        )?;
        let watched = shard.map(|shard| shard.watch(&progress));
        let observer: &dyn Observer = watched.as_ref().map_or(&progress, |watched| watched);
        let mut sizes = Vec::with_capacity(compressions.len());
        for compression in compressions {
            let options = RunOptions { first_stage: first_stage.clone(), ..self.options(compression, shard) };
            let report = run(&tasks, &encoder, &mut sources, &options, observer).map_err(|error| {
                let folder = self.output.output_folder.display();
                system::say_unless_ended(&format!("{folder}: cannot write results: {error}"));
                Exit::Failed
            })?;
            let made = compression.of(info.clone());
            sizes.push(Size { dimension: made.dimension, bytes: compression.bytes(&made), report });
            if interrupt::requested() {
                break;
            }
        }
        lock(&encoder).finish().iter().for_each(output::warn);
        tables.iter().flat_map(TableCache::take_warnings).for_each(output::warn);
        sources.take_lock_warnings().iter().for_each(output::warn);
        // A shard never covers a whole benchmark, so it has no means of a benchmark.
        let is_registry =
            shard.is_none() && !self.job.filter.registry.is_empty() && self.job.filter.benchmark.is_none();
        let within = is_registry.then(|| registries.widest_within(&tasks)).flatten();
        let within = within.filter(|(_, own)| own.len() < tasks.len()).map(BenchmarkWithin::new);
        let part = shard.map(Shard::part);
        let exit = self.end(&sizes, within.as_ref(), (&tasks, part.as_deref()));
        Ok(if interrupt::requested() { exit } else { consider_refusals_of_run(exit, &tasks, &catalog) })
    }

    fn options(&self, compression: Compression, shard: Option<&Shard>) -> RunOptions {
        RunOptions {
            output_folder: self.output.output_folder.clone(),
            overwrite: self.overwrite.overwrite(),
            keep_unknown: self.keep_unknown,
            draws: self.job.draws(),
            fail_fast: self.fail_fast,
            measures: self.job.measures.measures(),
            keep: self.job.keep.files(),
            compression,
            first_stage: None,
            limit: self.limit,
            part: shard.map(Shard::part),
        }
    }
}

/// Checks that the embeddings can be truncated and quantised as the user asked.
fn check_compressions(compressions: &[Compression], info: &ModelInfo) -> Result<(), Exit> {
    for compression in compressions {
        compression.check(info).map_err(output::usage)?;
    }
    Ok(())
}

fn limit(text: &str) -> Result<usize, ValueError> {
    text.parse().ok().filter(|&limit| limit > 0).ok_or(ValueError::TooSmall { least: 1 })
}

fn worker_memory(text: &str) -> Result<ByteSize, ValueError> {
    let size: ByteSize = text.parse()?;
    if size < LEAST_MEMORY {
        return Err(ValueError::LittleMemory { least: LEAST_MEMORY });
    }
    Ok(size)
}
