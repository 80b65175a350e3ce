//! `mteb-host plugins check`: the conformance kit on one plugin, and the rows of a task pack read as a run reads them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use mteb_card::TaskCard;
use mteb_engine::own_types;
use mteb_models::model::ModelChoice;
use mteb_registry::{TaskEntry, pack_entries};
use mteb_source::DataSources;
use mteb_tasks::{EvaluateError, TaskState, Unit, evaluator};
use mteb_workers::plugins::{
    Catalog, FoundPlugin, LibraryFile, Request, Start, TOO_LATE, Worker, WorkerError,
};
use mteb_workers::settings::{INTRODUCTION, Settings, TimeLimit, Waits};

use crate::commands::arguments::{PythonArgs, exit};
use crate::exit::Exit;
use crate::output;
use crate::view::Progress;

/// Arguments of `plugins check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Plugin file.
    file: PathBuf,
    /// Check only this model, which may also be one that matches a name pattern of the plugin: a
    /// hub id, a model folder, or a model in Python.
    #[arg(long, value_name = "ID|DIR|NAME")]
    model: Option<String>,
    /// Time limit for a response of the plugin; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = INTRODUCTION)]
    plugin_timeout: u64,
    #[command(flatten)]
    python: PythonArgs,
}

impl CheckArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let time_limit = TimeLimit::new(self.plugin_timeout);
        let settings = Settings::new(Vec::new(), None, None, false);
        let settings = Settings { time_limit, waits: Waits::Plugin, introduction: time_limit, ..settings };
        match self.checked(&settings) {
            Ok((plugin, faults)) => self.say(&plugin, &faults),
            Err(exit) => exit,
        }
    }

    fn say(&self, plugin: &FoundPlugin, faults: &[String]) -> Exit {
        let file = self.file.display();
        if !faults.is_empty() {
            faults.iter().for_each(output::error);
            return Exit::Failed;
        }
        let models = &plugin.manifest.models;
        let is_pattern = |name: &String| name.ends_with('*');
        if self.model.is_none() && models.iter().any(is_pattern) {
            let patterns: Vec<&str> =
                models.iter().filter(|name| is_pattern(name)).map(String::as_str).collect();
            output::warn(format!(
                "no model was run for these name patterns: {}; `--model NAME` runs one",
                patterns.join(", ")
            ));
        }
        let run = self.model.as_ref().map_or_else(String::new, |name| format!("; the model {name} was run"));
        output::print(&format!("{file}: conforms to plugin interface 1{run}"))
    }

    /// The plugin, and what is wrong with it: with its cards, else with what the kit asks, else with its rows.
    fn checked(&self, settings: &Settings) -> Result<(FoundPlugin, Vec<String>), Exit> {
        let file = LibraryFile::read(&self.file).map_err(|error| stopped(&error))?;
        if !file.is_plugin {
            // Whoever loads what is cut off is ended by the system.
            output::error(format!(
                "{}: expected a plugin, found a file that exports none, or that is cut off; end its crate with `export_model!` or `export_task_pack!`, or copy it again",
                self.file.display()
            ));
            return Err(Exit::Refused);
        }
        let plugin = FoundPlugin::unlisted(&file, settings).map_err(|error| stopped(&error))?;
        if let Err(fault) = plugin.declare_types() {
            return Ok((plugin, vec![fault.to_string()]));
        }
        let model = self.model.as_ref().map(|name| ModelChoice {
            device: "cpu".to_owned(),
            python: self.python.choice(),
            ..ModelChoice::new(name)
        });
        let request = match &model {
            Some(model) => {
                let config = model.config_for(&plugin, settings, &Progress::new(true, false));
                let config = config.map_err(|error| {
                    output::error(&error);
                    exit(&error)
                })?;
                Request::CheckModel { config }
            }
            None => Request::Check,
        };
        let variables: Vec<String> = model.iter().filter_map(ModelChoice::variables).collect();
        let (entries, faults) = pack_entries(&plugin.manifest.name, &plugin.cards);
        if !faults.is_empty() {
            return Ok((plugin, faults.iter().map(ToString::to_string).collect()));
        }
        let start = Start { late: TOO_LATE, variables: &variables, ..Start::of(&plugin, settings) };
        let answer = Worker::start(start).and_then(|mut worker| worker.ask(&request, &[]));
        let (faults, _) = answer.map_err(|error| stopped(&error))?;
        let mut faults: Vec<String> = serde_json::from_value(faults).unwrap_or_default();
        if faults.is_empty() {
            faults.extend(row_faults(&plugin, &entries, settings));
            if faults.is_empty() {
                faults.extend(own_type_faults(&plugin, &entries, settings));
            }
        }
        Ok((plugin, faults))
    }
}

/// Says why nothing could be checked.
fn stopped(error: &WorkerError) -> Exit {
    output::error(error);
    if error.is_refusal() { Exit::Refused } else { Exit::Failed }
}

/// What a run would refuse of the rows of a pack, each once.
fn row_faults(plugin: &FoundPlugin, entries: &[TaskEntry], settings: &Settings) -> Vec<String> {
    let catalog = Catalog { plugins: vec![plugin.clone()], ..Catalog::default() };
    own_types::provide(settings, &catalog);
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let mut faults = BTreeSet::new();
    for entry in entries.iter().filter(|entry| entry.card.unsupported.is_none()) {
        let card = &entry.card;
        for (split, subset) in card.units() {
            let place = format!("task {}, split {split}, subset {subset}", card.name);
            let found = match sources.read_whole(entry, split, subset) {
                Ok(unit) => planned(card, unit).err().map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            faults.extend(found.map(|fault| format!("{place}: {fault}")));
        }
    }
    faults.into_iter().collect()
}

/// What breaks when the types that the pack declares score its own rows.
fn own_type_faults(plugin: &FoundPlugin, entries: &[TaskEntry], settings: &Settings) -> Vec<String> {
    let catalog = Catalog { plugins: vec![plugin.clone()], ..Catalog::default() };
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let own = entries.iter().filter(|entry| entry.card.task_type.declared().is_some());
    own.flat_map(|entry| {
        let units =
            entry.card.units().filter_map(|(split, subset)| sources.read_whole(entry, split, subset).ok());
        let units: Vec<Unit> = units.collect();
        own_types::type_faults(&entry.card, units, &|| own_types::provide(settings, &catalog))
    })
    .collect()
}

/// Plans a unit as a run does, and says what it would refuse.
fn planned(card: &TaskCard, unit: Unit) -> Result<(), EvaluateError> {
    evaluator(card.task_type).plan(unit, &card.protocol, &mut TaskState::new())?.check().map(drop)
}
