//! The arguments of a second stage: whose rankings a reranker orders anew, and how deep.

use std::path::Path;
use std::sync::Mutex;

use clap::Args;
use mteb_base::interrupt;
use mteb_engine::run::{FirstStage, RunOptions, run};
use mteb_models::encode::{Encoder, lock};
use mteb_models::model::{Listener, ModelChoice};
use mteb_plugin_api::ModelInfo;
use mteb_registry::{ModelCards, Selected};
use mteb_results::KeepFiles;
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use super::model::exit;
use super::place::CacheOptionArgs;
use super::value::parse_whole;
use crate::exit::Exit;
use crate::output;
use crate::view::Progress;

/// Documents of each query that a first stage which is a model finds at the least, as `--rankings` keeps by itself.
const FOUND: usize = 1000;

/// Arguments about a second stage.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Second stage")]
pub struct RerankArgs {
    /// Rankings for the model, a cross-encoder or reranker, to rerank: a result folder with
    /// rankings, a TREC run file or prediction file, or the name of a model, such as `bm25`, which
    /// is run first. Results for each first stage have their own folder.
    #[arg(long, value_name = "DIR|FILE|NAME")]
    rerank_from: Option<String>,
    /// Number of documents per query to rerank; those below follow in the order of the first stage.
    #[arg(long, value_name = "K", default_value_t = 100, requires = "rerank_from", value_parser = parse_whole::<u32>(1, None))]
    rerank_depth: u32,
}

/// What a first stage that is a model is run with.
pub struct Around<'a> {
    pub settings: &'a Settings,
    pub catalog: &'a Catalog,
    pub registries: &'a [String],
    pub cache: &'a CacheOptionArgs,
    pub progress: &'a Progress,
    /// How the second stage is run.
    pub options: RunOptions,
}

impl RerankArgs {
    /// True if there is a first stage.
    pub fn has_first_stage(&self) -> bool {
        self.rerank_from.is_some()
    }

    /// Checks that the model orders anew what others found, if it is to, and that the first stage can be had for these tasks.
    ///
    /// # Errors
    /// If not; why is said.
    pub fn check(&self, info: &ModelInfo, tasks: &[Selected]) -> Result<(), Exit> {
        let Some(from) = &self.rerank_from else { return Ok(()) };
        if !info.cross_encoder {
            return Err(output::usage(format!(
                "`--rerank-from`: expected a cross-encoder or reranker, found a model that encodes: {}; leave the option out, or take \
                 another model",
                info.identity.name
            )));
        }
        let units: usize = tasks.iter().flat_map(Selected::with_data).map(|task| task.units().count()).sum();
        if Path::new(from).is_file() && !is_of_predictions(from) && units > 1 {
            return Err(output::usage(format!(
                "{from}: expected one unit to score, as a run file has the queries of one, found {units}; name it as \
                 `--task NAME:subset`, or take a folder of results with rankings"
            )));
        }
        Ok(())
    }

    /// The first stage of a plan, whose rankings are at hand.
    ///
    /// # Errors
    /// If it cannot be had, or is a model that would have to be run first; why is said.
    pub fn read_first_stage(&self) -> Result<Option<FirstStage>, Exit> {
        let Some(from) = &self.rerank_from else { return Ok(None) };
        let (path, depth) = (Path::new(from), self.rerank_depth as usize);
        if path.is_file() {
            return Ok(Some(FirstStage::of_file(path, depth)));
        }
        if !path.is_dir() {
            return Err(output::usage(format!(
                "`--rerank-from`: expected a folder or a file with rankings, which all shards share, found: {from}; score a \
                 first stage by itself, with `run --rankings` or a plan of its own"
            )));
        }
        FirstStage::of_results(path, depth)
            .map(Some)
            .map_err(|error| output::usage(format!("`--rerank-from`: {error}")))
    }

    /// The first stage; one that is a model is run on the tasks, and its results are kept beside those of the second.
    ///
    /// # Errors
    /// If it cannot be had; why is said.
    pub fn open_first_stage(
        &self,
        tasks: &[Selected],
        sources: &mut DataSources,
        around: &Around,
    ) -> Result<Option<FirstStage>, Exit> {
        let Some(from) = &self.rerank_from else { return Ok(None) };
        let (path, depth) = (Path::new(from), self.rerank_depth as usize);
        if path.is_file() {
            return Ok(Some(FirstStage::of_file(path, depth)));
        }
        let folder =
            if path.is_dir() { path.to_owned() } else { self.run_model(from, tasks, sources, around)? };
        let found = FirstStage::of_results(&folder, depth);
        found.map(Some).map_err(|error| output::failed(format!("`--rerank-from`: {error}")))
    }

    /// Runs the first stage called `name`; gives the folder with its rankings.
    fn run_model(
        &self,
        name: &str,
        tasks: &[Selected],
        sources: &mut DataSources,
        around: &Around,
    ) -> Result<std::path::PathBuf, Exit> {
        let Around { settings, catalog, registries, cache, progress, options } = around;
        let choice = ModelChoice { cards: ModelCards::beside(registries), ..ModelChoice::new(name) };
        let model = choice.start(catalog, settings, &[], *progress).map_err(|error| {
            output::error(format!("`--rerank-from`: {error}"));
            exit(&error)
        })?;
        if model.info().cross_encoder {
            return Err(output::usage(format!(
                "`--rerank-from`: expected a model that embeds or ranks, found a cross-encoder, which only reranks: {name}"
            )));
        }
        let cache_options = cache.options();
        let rows = model.worker().and_then(|model| cache_options.open(settings, model));
        let encoder =
            Mutex::new(Encoder::new(model, 0).with_cache(rows).with_row_memory(cache_options.memory));
        let depth = FOUND.max(self.rerank_depth as usize);
        let keep = KeepFiles { rankings: true, depth, ..KeepFiles::default() };
        let options = RunOptions { keep, first_stage: None, ..options.clone() };
        progress.say(&format!("First stage: {name}"));
        let report = run(tasks, &encoder, sources, &options, *progress);
        lock(&encoder).finish().iter().for_each(output::warn);
        let report = report.map_err(|error| {
            output::failed(format!("{}: cannot write results: {error}", options.output_folder.display()))
        })?;
        if interrupt::requested() {
            return Err(Exit::Interrupted);
        }
        Ok(report.folder)
    }
}

/// True of a prediction file of the reference, which has all units of a task.
fn is_of_predictions(file: &str) -> bool {
    let name = file.strip_suffix(".gz").unwrap_or(file);
    Path::new(name).extension().is_some_and(|extension| extension == "json")
}
