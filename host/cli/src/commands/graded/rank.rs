//! `mteb-host graded rank`: what each embedder finds, by a run that leaves its rankings.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;
use mteb_base::interrupt;
use mteb_cache::TableCache;
use mteb_engine::run::{RunOptions, RunReport, run};
use mteb_models::encode::{Encoder, lock};
use mteb_models::model::{Listener, LoadedModel, ModelChoice};
use mteb_registry::{ModelCards, Selected};
use mteb_results::KeepFiles;
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use super::inputs::searching_tasks;
use crate::commands::arguments::{
    CacheOptionArgs, DtypeName, FilterArgs, PlaceArgs, device, exit, parse_whole,
};
use crate::commands::discover::{consider_refusals, discover, say_refusals};
use crate::commands::selected::{check_chosen, check_locks};
use crate::exit::Exit;
use crate::view::Progress;
use crate::{output, system};

/// Arguments of `graded rank`.
#[derive(Args, Debug)]
pub struct RankArgs {
    /// Embedders: names provided by a plugin, hub ids, model folders, `bm25`, or a model behind an
    /// endpoint.
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<String>,
    /// Device: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format in which the models compute.
    #[arg(long, default_value = "auto")]
    dtype: DtypeName,
    /// Folder for the results and their rankings; pass it to the other steps as `--results`.
    #[arg(long, alias = "results", value_name = "DIR", default_value = "results")]
    output_folder: PathBuf,
    /// Number of documents per query.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_whole::<u32>(1, Some(100_000)))]
    depth: u32,
    /// Hide progress bars.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    cache: CacheOptionArgs,
}

/// What all models of a run share.
struct Setting<'a> {
    settings: &'a Settings,
    catalog: &'a Catalog,
    tasks: &'a [Selected],
    progress: &'a Progress,
}

impl RankArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Err(_) if interrupt::requested() => Exit::Interrupted,
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        if let Err(error) = system::watch_signals() {
            output::warn(format!("Ctrl-C will end the run at once: {error}"));
        }
        let progress = Progress::new(self.quiet, false);
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = searching_tasks(&self.filter, &catalog)?;
        check_chosen(&self.filter, false, &tasks, "rank")?;
        check_locks(&tasks, None)?;
        let cache_options = self.cache.options();
        let tables = cache_options.open_tables(&settings);
        let sources = DataSources::new(settings.clone(), &catalog).with_report(progress.downloads());
        let mut sources = sources.with_hashes(cache_options.open_hashes(&settings));
        if let Some(tables) = &tables {
            sources = sources.with_opener(Arc::new(tables.clone()));
        }
        let setting = Setting { settings: &settings, catalog: &catalog, tasks: &tasks, progress: &progress };
        let mut all = Exit::Done;
        for model in &self.models {
            let exit = self.rank(model, &setting, &mut sources)?;
            all = if all == Exit::Done { exit } else { all };
        }
        tables.iter().flat_map(TableCache::take_warnings).for_each(output::warn);
        Ok(consider_refusals(all, &catalog))
    }

    /// Ranks with one model.
    fn rank(&self, name: &str, setting: &Setting<'_>, sources: &mut DataSources) -> Result<Exit, Exit> {
        let choice = ModelChoice {
            device: self.device.clone(),
            dtype: self.dtype.dtype(),
            cards: ModelCards::beside(&self.filter.registry),
            ..ModelChoice::new(name)
        };
        let model =
            choice.start(setting.catalog, setting.settings, &[], setting.progress).map_err(|error| {
                output::error(&error);
                exit(&error)
            })?;
        check(name, &model)?;
        let cache_options = self.cache.options();
        let cache = model.worker().and_then(|model| cache_options.open(setting.settings, model));
        let encoder = Encoder::new(model, 0).with_cache(cache).with_row_memory(cache_options.memory);
        let encoder = Mutex::new(encoder);
        let keep = KeepFiles { rankings: true, depth: self.depth as usize, ..KeepFiles::default() };
        let options = RunOptions { keep, ..RunOptions::new(self.output_folder.clone()) };
        let report = run(setting.tasks, &encoder, sources, &options, setting.progress);
        lock(&encoder).finish().iter().for_each(output::warn);
        let report = report.map_err(|error| {
            output::failed(format!("{}: cannot write results: {error}", self.output_folder.display()))
        })?;
        if interrupt::requested() {
            output::say("Interrupted; run the same command again to continue");
            return Err(Exit::Interrupted);
        }
        Ok(say(&report))
    }
}

/// A model that scores pairs has nothing to rank by itself.
fn check(name: &str, model: &LoadedModel) -> Result<(), Exit> {
    if !model.info().cross_encoder {
        return Ok(());
    }
    Err(output::usage(format!(
        "model {name}: expected a model that embeds or ranks, found a cross-encoder; use it as `--reranker` of \
         `mteb-host graded evaluate`"
    )))
}

fn say(report: &RunReport) -> Exit {
    let units = report.tasks.iter().flat_map(|task| &task.units);
    let ranked = units.filter(|unit| unit.outcome.score().is_some()).count();
    let line = format!(
        "{}: rankings of {} in {}",
        report.model,
        output::count(ranked, "unit"),
        report.folder.join("rankings").display()
    );
    let printed = output::print(&line);
    if report.failures().count() > 0 { Exit::Failed } else { printed }
}
