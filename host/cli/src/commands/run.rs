//! `mteb-host run`: scores a model on tasks.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::builder::UnknownArgumentValueParser;
use clap::{Args, ValueEnum};
use mteb_base::byte_size::ByteSize;
use mteb_base::interrupt;
use mteb_cache::TableCache;
use mteb_engine::run::{Draws, Overwrite, RunOptions, RunReport, compare, run};
use mteb_models::encode::{Compression, Encoder, lock};
use mteb_models::model::Listener;
use mteb_registry::Selected;
use mteb_source::DataSources;
use mteb_workers::settings::{Settings, TimeLimit};
use serde_json::Value;

use super::cache_options::CacheOptionArgs;
use super::discover::{discover_before_cards, or_refused, run_or_refused, say_refusals, say_unused};
use super::dry_run::dry_run;
use super::everything::check_chosen;
use super::filter::FilterArgs;
use super::format_args::FormatArgs;
use super::keep_options::KeepArgs;
use super::left_out::{leave_out_unsupported, leave_out_what_cannot_be_ranked};
use super::locks::check_locks;
use super::measure_options::MeasureArgs;
use super::model::ModelArgs;
use super::place_args::PlaceArgs;
use super::rerank_args::{Around, RerankArgs};
use super::say_expected::say_comparison;
use super::size_options::SizeArgs;
use super::whole::whole;
use super::worker_args::WorkerArgs;
use super::write_expected::write_expected;
use crate::exit::Exit;
use crate::output;
use crate::report::{
    BenchmarkWithin, Progress, Size, further_tasks, size_table, summary_grid, summary_json, summary_table,
};
use crate::signals;

/// Memory with which a worker can load a small plugin.
const LEAST_MEMORY: ByteSize = ByteSize(64 << 20);

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Run all known tasks, where no registry, benchmark, task, type or language is named.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    rerank: RerankArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    measures: MeasureArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    cache: CacheOptionArgs,
    /// Tokens in a batch, padding counted; 0 for the default.
    #[arg(long, value_name = "N", default_value_t = 0)]
    batch_tokens: usize,
    /// Longest time to wait for a batch of up to 128 kB of text, and as long again for each further 128 kB; 0 for no
    /// limit. A plugin that takes longer is ended and started once more, then its unit fails. Loading a model and
    /// reading a part of a task pack have this time too.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    batch_timeout: u64,
    /// Most memory that a plugin may take for itself: what it asks for beyond is refused to it (K, M, G, T: powers of 1,024).
    /// What lies on a GPU does not count [default: what the system gives].
    #[arg(long, value_name = "SIZE", value_parser = worker_memory)]
    worker_memory: Option<ByteSize>,
    /// Folder for the result files.
    #[arg(long, value_name = "DIR", default_value = "results")]
    output_folder: PathBuf,
    /// What other commands call it.
    #[arg(long = "results", hide = true, value_name = "DIR",
          value_parser = UnknownArgumentValueParser::suggest_arg("--output-folder"))]
    _results: Option<String>,
    /// What to do with results that are there already.
    #[arg(long, default_value = "missing")]
    overwrite: OverwriteName,
    /// Keep results that do not say what they were made from, as those of older versions and of others; where what they
    /// say fits this run.
    #[arg(long)]
    keep_unknown: bool,
    /// Try each task on its first N items alone: the scores are shown and not kept, and results that are there stay as they are.
    /// Of a search N judged queries with all documents that were judged for them, and N other documents.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, None), conflicts_with_all = ["rankings", "predictions", "check_expected", "update_lock"])]
    limit: Option<usize>,
    /// Whose random draws clustering and multilabel classification make, which go on from subset to subset.
    #[arg(long, default_value = "whole")]
    draws: DrawsName,
    /// Score nothing, but say what would be fetched, encoded and scored, and how long that takes where a result of the model says how
    /// fast it is.
    #[arg(long)]
    dry_run: bool,
    /// Stop at the first failure.
    #[arg(long)]
    fail_fast: bool,
    /// Take data files as they are into the locks of their registries (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    /// Compare main scores with those that the cards say this model reaches; fail beyond a card's tolerance.
    #[arg(long)]
    check_expected: bool,
    /// Write main scores into the cards of the tasks, as those that this model is expected to reach: for baselines of a benchmark.
    #[arg(long, conflicts_with_all = ["limit", "check_expected", "dimensions"])]
    write_expected: bool,
    /// No progress bars and no table.
    #[arg(long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more: which unit is scored, and what plugins print.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// What to do with results that are there already.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OverwriteName {
    /// Fail where a file is there but incomplete, or made from something else.
    Never,
    /// Score what is missing, and what was made from other data, options or prompts, or by another model.
    Missing,
    /// Score everything again that is asked for.
    Always,
}

/// Whose random draws are made.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DrawsName {
    /// Those of the whole task: a chosen subset scores as in a run of all, and earlier subsets are read for that.
    Whole,
    /// Those of the chosen subsets alone, as the reference draws for a selection.
    Selected,
}

impl DrawsName {
    fn draws(self) -> Draws {
        match self {
            Self::Whole => Draws::Whole,
            Self::Selected => Draws::Selected,
        }
    }
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
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) => exit,
            Err(_) if interrupt::requested() => {
                output::say("Interrupted before a unit was scored; run the same command again");
                Exit::Interrupted
            }
            Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        if let Err(error) = signals::watch() {
            output::warn(format!("Ctrl-C will end the run at once: {error}"));
        }
        let devices = self.workers.devices(self.model.device())?;
        let time_limit = TimeLimit::new(self.batch_timeout);
        let (update_lock, worker_memory) = (self.update_lock, self.worker_memory);
        let lists_anew = matches!(self.overwrite, OverwriteName::Always);
        let progress = Progress::new(self.quiet || !self.format.is_for_people(), self.verbose);
        let progress = progress.in_lines(!self.quiet);
        let python = self.model.python();
        let printed = self.verbose.then(|| progress.printed());
        let settings = Settings {
            update_lock,
            lists_anew,
            time_limit,
            worker_memory,
            printed,
            python,
            ..self.place.settings()
        };
        let catalog = discover_before_cards(&settings);
        if interrupt::requested() {
            return Err(Exit::Interrupted);
        }
        say_refusals(&catalog);
        let not_found = |exit| or_refused(exit, &catalog);
        let registries = self.filter.registries(&catalog).map_err(not_found)?;
        let mut tasks = self.filter.select(&registries).map_err(not_found)?;
        say_unused(&catalog);
        check_chosen(&self.filter, self.all, &tasks, "run")?;
        self.filter.say_successor(&registries);
        if self.filter.task.is_empty() {
            leave_out_unsupported(&mut tasks);
        }
        if tasks.is_empty() {
            output::error("expected a task that can be run, found none; `mteb-host list tasks` shows all");
            return Err(Exit::Usage);
        }
        check_locks(&tasks, Some(&registries).filter(|_| self.update_lock))?;
        if self.dry_run {
            let named = (self.model.name(), self.output_folder.as_path());
            return Ok(dry_run(&tasks, (&settings, &catalog), named, self.format));
        }
        let known = registries.tasks();
        let known: Vec<&str> = known.iter().map(|task| task.card.name.as_str()).collect();
        let around = (&catalog, &settings);
        let (model, others) =
            self.model.start_on(&devices, &self.filter.registry, around, &known, &progress)?;
        self.rerank.check(model.info(), &tasks)?;
        if (model.only_ranks() || self.rerank.is_asked()) && self.filter.task.is_empty() {
            leave_out_what_cannot_be_ranked(&mut tasks)?;
        }
        let caches = self.cache.options();
        let cache = model.worker().and_then(|model| caches.open(&settings, model));
        let encoder = Encoder::new(model, self.batch_tokens).with_workers(others).with_cache(cache);
        let encoder = Mutex::new(encoder.with_row_memory(caches.memory));
        let (tables, hashes) = (caches.open_tables(&settings), caches.open_hashes(&settings));
        let mut sources = DataSources::new(settings.clone(), &catalog).with_report(progress.downloads());
        sources = sources.hashed(hashes);
        if let Some(tables) = &tables {
            sources = sources.opened(Arc::new(tables.clone()));
        }
        let compressions = self.sizes.compressions();
        let info = lock(&encoder).info().clone();
        self.model.former_results(&self.output_folder, &info).iter().for_each(output::warn);
        for compression in &compressions {
            compression.check(&info).map_err(|error| {
                output::error(error);
                Exit::Usage
            })?;
        }
        let options = |compression| RunOptions {
            output_folder: self.output_folder.clone(),
            overwrite: self.overwrite.overwrite(),
            keep_unknown: self.keep_unknown,
            draws: self.draws.draws(),
            fail_fast: self.fail_fast,
            measures: self.measures.measures(),
            keep: self.keep.files(),
            compression,
            first_stage: None,
            limit: self.limit,
        };
        let first_stage = self.rerank.first_stage(
            &tasks,
            &mut sources,
            &Around {
                settings: &settings,
                catalog: &catalog,
                registries: &self.filter.registry,
                cache: &self.cache,
                progress: &progress,
                options: options(Compression::default()),
            },
        )?;
        let mut sizes = Vec::with_capacity(compressions.len());
        for compression in compressions {
            let options = RunOptions { first_stage: first_stage.clone(), ..options(compression) };
            let report = run(&tasks, &encoder, &mut sources, &options, &progress).map_err(|error| {
                let folder = self.output_folder.display();
                signals::say_unless_ended(&format!("{folder}: cannot write results: {error}"));
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
        let is_registry = !self.filter.registry.is_empty() && self.filter.benchmark.is_none();
        let within = is_registry.then(|| registries.widest_within(&tasks)).flatten();
        let within = within.filter(|(_, own)| own.len() < tasks.len()).map(BenchmarkWithin::new);
        let mut exit = self.say_reports(&sizes, within.as_ref());
        if interrupt::requested() {
            sizes.iter().for_each(|size| self.say_interruption(&size.report, &tasks));
            return Ok(Exit::Interrupted);
        }
        for Size { report, .. } in sizes.iter().filter(|_| self.check_expected) {
            if say_comparison(&compare(report, &tasks), &report.model) == Exit::Failed {
                exit = Exit::Failed;
            }
        }
        for Size { report, .. } in sizes.iter().filter(|_| self.write_expected) {
            let written = write_expected(report, &tasks);
            exit = if exit == Exit::Done { written } else { exit };
        }
        Ok(run_or_refused(exit, &tasks, &catalog))
    }

    /// Says what is done and how to go on.
    fn say_interruption(&self, report: &RunReport, tasks: &[Selected]) {
        let units = report.tasks.iter().flat_map(|task| &task.units);
        let done = units.filter(|unit| unit.outcome.score().is_some()).count();
        let asked: usize = tasks.iter().map(|task| task.units().count()).sum();
        if self.limit.is_some() {
            return output::say(format!("Interrupted: {done} of {asked} units were tried"));
        }
        output::say(format!(
            "Interrupted: {done} of {asked} units are done, and on the disk in {}; \
             run the same command again to go on where this run ended",
            report.folder.display()
        ));
    }

    /// Says what became of each run: of one, all; of several sizes of embeddings, the scores by size too.
    fn say_reports(&self, sizes: &[Size], within: Option<&BenchmarkWithin>) -> Exit {
        let printed = self.format.print(|| self.answer(sizes, within), summary_grid);
        let is_shown = printed.is_none() && !self.quiet;
        let said =
            sizes.iter().map(|size| self.say_report(&size.report, within, is_shown)).collect::<Vec<Exit>>();
        let table =
            if is_shown && sizes.len() > 1 { output::print_table(&size_table(sizes)) } else { Exit::Done };
        let exits = printed.into_iter().chain([table]).chain(said);
        exits.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done)
    }

    /// The report of a run; of several sizes of embeddings a list of them.
    fn answer(&self, sizes: &[Size], within: Option<&BenchmarkWithin>) -> Value {
        if let [one] = sizes {
            return self.with_limit(summary_json(&one.report, within));
        }
        let runs = sizes.iter().map(|size| {
            let mut run = self.with_limit(summary_json(&size.report, within));
            run["dimension"] = size.dimension.into();
            run["bytes"] = size.bytes.into();
            run
        });
        runs.collect()
    }

    /// The report of a run, which says where it only tried its tasks.
    fn with_limit(&self, mut run: Value) -> Value {
        if let Some(limit) = self.limit {
            run["limit"] = limit.into();
            run["results_folder"] = Value::Null;
        }
        run
    }

    fn say_report(&self, report: &RunReport, within: Option<&BenchmarkWithin>, is_shown: bool) -> Exit {
        let mut exit = Exit::Done;
        if is_shown {
            exit = output::print_table(&summary_table(report, within));
            let end = match self.limit {
                Some(limit) => {
                    format!("Tried on {} of each unit: nothing was kept", output::count(limit, "item"))
                }
                None if report.has_score() => format!("Results are in {}", report.folder.display()),
                None => "No unit was scored: no result was written".to_owned(),
            };
            exit = if exit == Exit::Done { output::print(&end) } else { exit };
        }
        let failed = report.failures().count();
        if failed == 0 {
            return exit;
        }
        // Each cause was said when it was first met; what is left to say is which other tasks met it.
        output::say(format!("{} failed, for the reasons above", output::count(failed, "unit")));
        for line in further_tasks(report) {
            output::say(format!("  {line}"));
        }
        Exit::Failed
    }
}

fn worker_memory(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text.parse()?;
    if size < LEAST_MEMORY {
        return Err(format!("expected at least {LEAST_MEMORY}, which a worker needs to load a plugin"));
    }
    Ok(size)
}
